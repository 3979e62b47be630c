import type { SessionCandidate, SessionReport } from './session-data.js';

const whole = (value: number) => Math.round(value).toLocaleString('en-US');
const percent = (share: number) => `${Number((share * 100).toFixed(1))} %`;

/** What the replays of a session came to, in sentences. */
export function sessionHeadline({ tokens, limit, candidates }: SessionReport): string[] {
  const sound = candidates.filter(({ overflows, invalid }) => overflows + invalid === 0);
  // What costs more than to send everything is no help, however much is there.
  const saving = sound.filter(({ cost }) => cost < 1);
  const [best] = [saving, sound, candidates].find((some) => some.length > 0) ?? [];
  if (best === undefined)
    return [`The session has ${whole(tokens)} tokens and always fits into ${whole(limit)}.`];
  const cheapest = sound.toSorted((a, b) => a.cost - b.cost)[0];
  const said = ({ missRate, cost }: SessionCandidate) =>
    `${percent(1 - missRate)} of what the agent used was there, for ${percent(cost)} of the price of sending everything`;
  return [
    `${whole(tokens)} tokens, sent in requests of at most ${whole(limit)} with ${best.candidate}: ${said(best)}.`,
    ...(cheapest === undefined || cheapest === best
      ? []
      : [`The cheapest here is ${cheapest.candidate}: ${said(cheapest)}.`]),
  ];
}
