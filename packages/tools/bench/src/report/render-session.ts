import type { Table } from '../table-cells.js';
import { pageOf, timeOf } from './page-shell.js';
import { steps } from './render-report.js';
import type { SessionCandidate, SessionParts, SessionReport } from './session-data.js';
import { tablesHtml, termsHtml } from './table-html.js';

/** Makes one HTML page that steps through a session: at each request what the model saw with each candidate. The page loads nothing. */
export function renderSession(parts: SessionParts): Promise<string> {
  const { session, createdAt, messages, requests, candidates } = parts.report;
  const compared = {
    id: 'compare',
    title: 'The candidates side by side',
    lead: 'The whole session, with each candidate.',
    html: tablesHtml([comparison(candidates, requests.length)]) + termsHtml(),
  };
  return pageOf({
    title: 'A session, step by step',
    facts: [timeOf(createdAt), `${messages} messages`, `${requests.length} requests`, session].join(' · '),
    headline: sessionHeadline(parts.report),
    sections: candidates.length === 0 ? [] : [steps, compared],
    empty: 'The session always fits, so there is nothing to replay.',
    session: parts,
  });
}

function comparison(candidates: readonly SessionCandidate[], requests: number): Table {
  const largest = ({ tokens }: SessionCandidate) => tokens.reduce((high, next) => Math.max(high, next), 0);
  return {
    title: `${requests} requests`,
    columns: [
      'candidate',
      'misses %',
      'passage misses %',
      'cost',
      'rewrites',
      'largest request',
      'overflows',
      'invalid',
    ],
    rows: candidates.map((one) => [
      one.candidate,
      (one.missRate * 100).toFixed(1),
      (one.passageMissRate * 100).toFixed(1),
      one.cost.toFixed(2),
      one.rewrites,
      largest(one).toLocaleString('en-US'),
      one.overflows,
      one.invalid,
    ]),
  };
}

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
