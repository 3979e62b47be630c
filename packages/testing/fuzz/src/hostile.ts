import type { CompressionStrategy, Edit, Message, Plan, PlanContext, ViewMessage } from '@ctx/core';
import { grouped } from './grouped.js';
import { Random } from './random.js';
import type { Gate } from './settle.js';

/** Mistakes that a third-party strategy may make, and a few correct but slow behaviours. */
export const behaviours = [
  'random-edits',
  'overlapping',
  'greedy',
  'slow-drops',
  'slow-then-throws',
  'hangs',
  'throws',
  'rejects',
  'no-plan',
  'cyclic',
  'getters',
  'bigint',
  'writes',
  'grows',
  'undeclared',
  'replans',
  'huge-notes',
] as const;
type Behaviour = (typeof behaviours)[number];

export interface HostileSpec {
  readonly behaviour: Behaviour;
  readonly seed: number;
}

const emits = ['drop', 'drop-calls', 'replace', 'merge', 'summarize', 'fold'];

/** A strategy with this behaviour. It gives the same plan each time for the same view. */
export function hostileStrategy(
  { behaviour, seed }: HostileSpec,
  name: string,
  gate: Gate,
): CompressionStrategy {
  return {
    name,
    emits: behaviour === 'undeclared' ? ['drop'] : emits,
    plan: (context) => plans[behaviour](context, new Random(seed + context.view.length), gate) as Plan,
  };
}

type Planner = (context: PlanContext, random: Random, gate: Gate) => unknown;

const plans: Readonly<Record<Behaviour, Planner>> = {
  'random-edits': ({ view }, random) => ({ edits: randomEdits(view, random) }),
  overlapping: ({ view }, random) => {
    const edits = randomEdits(view, random).slice(0, 3);
    return { edits: [...edits, ...edits.toReversed(), ...edits] };
  },
  greedy: ({ view }) => ({ edits: view.map(({ id }) => ({ type: 'drop', messages: [id], reason: 'all' })) }),
  'slow-drops': async (context, random, gate) => {
    await gate.opened;
    return { edits: exchangeDrops(context.view, random) };
  },
  'slow-then-throws': async (_context, _random, gate) => {
    await gate.opened;
    throw new Error('too late');
  },
  hangs: () => new Promise(() => {}),
  throws: (_context, random) => {
    throw random.pick([new Error('no'), 'a text', undefined, null, Object.freeze({ odd: true })]);
  },
  rejects: (_context, random) => Promise.reject(random.pick([new Error('no'), 'a text', undefined, 7])),
  'no-plan': (_context, random) =>
    random.pick<unknown>([
      undefined,
      null,
      7,
      'plan',
      {},
      { edits: 7 },
      { edits: { length: 3 } },
      { edits: [null, undefined, 3, 'x', []] },
      [],
    ]),
  cyclic: ({ view }, random) => {
    const edit: Record<string, unknown> = { type: 'drop', messages: [view[0]?.id], reason: 'round' };
    edit.self = edit;
    const notes: Record<string, unknown> = {};
    notes.self = notes;
    return { edits: [edit, ...randomEdits(view, random)], notes };
  },
  getters: ({ view }, random) => {
    let asked = 0;
    const changing = {
      type: 'drop',
      reason: 'changes its mind',
      get messages() {
        asked += 1;
        return [view[asked % Math.max(1, view.length)]?.id];
      },
    };
    const throwing = {
      get type(): string {
        throw new Error('no type');
      },
    };
    return { edits: random.chance(0.5) ? [changing, throwing] : [throwing, changing] };
  },
  bigint: ({ view }) => ({
    edits: [{ type: 'replace', message: view[1]?.id, part: 0n, text: 'x', reason: 1n }],
    notes: { count: 1n },
    state: { count: 1n },
  }),
  writes: ({ view, transcript }, random) => {
    for (const { message } of [...view, ...transcript]) scribble(message);
    (view as ViewMessage[]).length = 0;
    (transcript as unknown[]).splice(0, 2);
    return { edits: randomEdits(view, random) };
  },
  grows: ({ view }) => ({
    edits: view.map(({ id, message }) => ({
      type: 'replace',
      message: id,
      part: 0,
      text: `${JSON.stringify(message.content)} and more`,
      reason: 'longer',
    })),
  }),
  undeclared: ({ view }, random) => ({ edits: randomEdits(view, random) }),
  replans: ({ view, state }, random) => ({
    edits: exchangeDrops(view, random).slice(0, 1),
    state: { asked: Number(state?.asked ?? 0) + 1 },
    targetTokens: 0,
  }),
  'huge-notes': ({ view }, random) => ({
    edits: exchangeDrops(view, random).slice(0, 2),
    notes: { all: view.map(({ message }) => message), text: 'n'.repeat(50_000) },
    reason: 'r'.repeat(50_000),
  }),
};

function scribble(message: Message): void {
  try {
    (message as { content: unknown }).content = 'overwritten';
    (message as { pinned?: boolean }).pinned = false;
  } catch {}
  try {
    if (typeof message.content !== 'string') (message.content as unknown[]).pop();
  } catch {}
}

/** Drops some whole exchanges that nothing protects. */
function exchangeDrops(view: readonly ViewMessage[], random: Random): Edit[] {
  return grouped(view, ({ exchange }) => exchange)
    .filter((messages) => messages.every(({ pinned }) => !pinned) && random.chance(0.6))
    .map((messages) => ({ type: 'drop', messages: messages.map(({ id }) => id), reason: 'some' }));
}

function randomEdits(view: readonly ViewMessage[], random: Random): Edit[] {
  const ids = view.map(({ id }) => id);
  const anyId = () =>
    random.chance(0.9) && ids.length > 0
      ? random.pick(ids)
      : random.pick(['nobody', '', 'ctx:compression-1.0', 'compression-1.0', '__proto__']);
  const someIds = () => {
    if (random.chance(0.3)) return random.list(random.int(0, 4), anyId);
    const start = random.int(0, ids.length);
    const found = ids.slice(start, start + random.int(1, 6));
    return random.chance(0.1) ? found.toReversed() : found;
  };
  const wholeExchange = () => {
    const one = view[random.int(0, Math.max(0, view.length - 1))];
    return view.filter(({ exchange }) => exchange === one?.exchange).map(({ id }) => id);
  };
  const messages = () => (random.chance(0.5) ? wholeExchange() : someIds());
  const text = () =>
    random.pick(['', ' ', 'short', '{}', '{"a":1}', 'a longer text that says a little more', '…', '[]']);
  const callIds = view.flatMap(({ message }) =>
    typeof message.content === 'string'
      ? []
      : message.content.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : [])),
  );
  return random.list(random.int(0, 8), (): Edit => {
    const reason = 'because';
    const type = random.weighted({
      drop: 5,
      replace: 6,
      merge: 3,
      'drop-calls': 2,
      summarize: 0.5,
      fold: 0.5,
      explode: 0.5,
    });
    switch (type) {
      case 'drop':
        return { type, messages: messages(), reason };
      case 'replace':
        return {
          type,
          message: anyId(),
          part: random.chance(0.9) ? random.int(0, 3) : random.pick([-1, 0.5, 1e9]),
          text: text(),
          reason,
        };
      case 'merge':
        return {
          type,
          messages: random.chance(0.5) ? [...wholeExchange(), ...wholeExchange()] : someIds(),
          text: text(),
          placement: random.pick(['first', 'last', 'nowhere' as 'last']),
          reason,
        };
      case 'drop-calls':
        return { type, messages: wholeExchange(), calls: random.some([...callIds, 'nothing'], 0.4), reason };
      case 'summarize':
        return { type, messages: messages(), maxTokens: random.int(1, 200), reason };
      case 'fold':
        return { type, message: anyId(), part: random.int(0, 2), paths: ['src/a.ts'], reason };
      default:
        return { type, reason };
    }
  });
}
