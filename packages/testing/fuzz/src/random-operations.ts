import { behaviours } from './hostile.js';
import { randomMessage, randomOutput } from './message-spec.js';
import type { Operation } from './operation.js';
import type { Random } from './random.js';
import type { Setup } from './setup.js';

/** The steps of a conversation: mostly an agent at work, and sometimes something that only a strange host would do. */
export function randomOperations(random: Random, setup: Setup): Operation[] {
  const isPlain = setup.provider === 'anthropic' || setup.provider === 'openai';
  const most = Math.max(8, Math.floor((setup.config.contextWindow ?? 1000) / random.pick([8, 15, 30])));
  const style = { plain: isPlain, most: Math.min(most, 300) };
  const isBusy = random.chance(0.3);
  const length = random.int(4, random.chance(0.08) ? 80 : 22);
  const operations: Operation[] = [];
  while (operations.length < length) {
    const step = random.weighted({ talk: 14, act: 5, rare: isBusy ? 3 : 1.2 });
    if (step === 'talk') operations.push(...talk(random, style));
    else operations.push(step === 'act' ? act(random, isBusy, setup) : rare(random));
  }
  return operations;
}

type Style = Parameters<typeof randomMessage>[1];

function talk(random: Random, style: Style): Operation[] {
  const message = randomMessage(random, style);
  const asked: Operation[] = message.role === 'assistant' && random.chance(0.6) ? [{ do: 'view' }] : [];
  const said: Operation = random.chance(0.3) ? { do: 'add', message } : { do: 'append', message };
  const calls =
    typeof message.content[0] === 'string'
      ? 0
      : message.content.filter((part) => typeof part === 'object' && part.type === 'call').length;
  if (calls === 0 || random.chance(0.12)) return [...asked, said];
  const answered = random.chance(0.9) ? calls : random.int(1, calls);
  const answer: Operation = {
    do: 'answer',
    outputs: random.list(answered, () => randomOutput(random, style)),
    together: random.chance(0.5),
    backwards: random.chance(0.15),
  };
  return [...asked, said, answer];
}

const named = [
  'middle-removal',
  'oldest-removal',
  'hybrid',
  'tool-results',
  'smart-truncation',
  'importance',
  'condense',
  'relevance',
  'sliding-window',
  'no-such',
];

function act(random: Random, isBusy: boolean, { hostile }: Setup): Operation {
  const held = {
    ...random.maybe(isBusy ? 0.5 : 0.03, () => ({ held: true })),
    ...random.maybe(0.04, () => ({ abort: 'before' as const })),
  };
  const kind = random.weighted({
    check: 5,
    compress: 4,
    attack: 3,
    view: 2,
    recover: 0.7,
    settle: isBusy ? 2 : 0.1,
    release: isBusy ? 1 : 0,
    abort: isBusy ? 0.7 : 0,
  });
  switch (kind) {
    case 'check':
      return { do: 'check', ...random.maybe(0.6, () => ({ beforeSend: true })), ...held };
    case 'compress':
      return {
        do: 'compress',
        ...random.maybe(0.5, () => ({
          strategy: random.pick([...named, ...hostile.map((_, index) => `hostile-${index}`)]),
        })),
        ...random.maybe(0.7, () => ({ share: random.pick([0, 0.1, 0.3, 0.5, 0.8, 1.2, -1, Number.NaN]) })),
        ...random.maybe(0.1, () => ({ instructions: 'Keep the plan.' })),
        ...held,
      };
    case 'attack':
      return {
        do: 'compress',
        hostile: {
          behaviour: random.chance(0.5) ? 'random-edits' : random.pick(behaviours),
          seed: random.int(0, 9999),
        },
        share: random.pick([0, 0.3, 0.6]),
        ...held,
      };
    case 'recover':
      return { do: 'recover', overflow: random.chance(0.8), ...held };
    case 'view':
    case 'settle':
    case 'release':
    case 'abort':
      return { do: kind };
    default:
      return kind satisfies never;
  }
}

function rare(random: Random): Operation {
  const kind = random.weighted({
    simulate: 2,
    pin: 3,
    unpin: 1,
    undo: 3,
    rewind: 2,
    tools: 1,
    usage: 3,
    restore: 2,
    once: 0.7,
    wait: 2,
    garbage: 1,
  });
  const which = random.int(0, 99);
  switch (kind) {
    case 'simulate':
      return {
        do: kind,
        ...random.maybe(0.5, () => ({ strategy: random.pick(named) })),
        share: random.pick([0, 0.5]),
      };
    case 'tools':
      return { do: kind, size: random.int(0, 40) };
    case 'usage':
      return {
        do: kind,
        factor: random.pick([0, 0.5, 0.95, 1, 1.1, 1.3, 2, 40]),
        ...random.maybe(0.1, () => ({ absurd: random.pick(['negative', 'nan', 'huge', 'text'] as const) })),
      };
    case 'restore':
      return { do: kind, beside: random.chance(0.5) };
    case 'once':
      return { do: kind, strategy: random.pick(named), share: random.pick([0, 0.3, 0.7]) };
    case 'wait':
      return { do: kind, ms: random.pick([1, 6000, 70_000, 16 * 60_000]) };
    default:
      return { do: kind, which };
  }
}
