import {
  type CompressionStrategy,
  type Edit,
  type Exchange,
  exchangesOf,
  type Message,
  type Plan,
  type PlanContext,
  type ViewMessage,
} from '@ctx/core';
import fc from 'fast-check';
import { int, type MadeBy, often, upTo } from './choices.js';
import { partsIn } from './expected-view.js';
import type { Waiting } from './settle.js';

const { constant, constantFrom } = fc;

const emits = ['drop', 'drop-calls', 'replace', 'merge', 'summarize', 'fold'];

/** A strategy with this behaviour. It gives the same plan each time for the same view. */
export function hostileStrategy(
  { behaviour, seed }: HostileSpec,
  name: string,
  gate: Waiting,
): CompressionStrategy {
  return {
    name,
    emits: behaviour === 'undeclared' ? ['drop'] : emits,
    plan: (context) => plans[behaviour](context, seed + context.view.length, gate) as Plan,
  };
}

/** @param seed of its random choices */
type Planner = (context: PlanContext, seed: number, gate: Waiting) => unknown;

/** Mistakes that a third-party strategy may make, and a few correct but slow behaviours. Core's own tests have plans of another form. */
const plans = {
  'random-edits': ({ view }, seed) => ({ edits: made(anyEdits(view), seed) }),
  overlapping: ({ view }, seed) => {
    const edits = made(anyEdits(view), seed).slice(0, 3);
    return { edits: [...edits, ...edits.toReversed(), ...edits] };
  },
  greedy: ({ view }) => ({ edits: view.map(({ id }) => ({ type: 'drop', messages: [id], reason: 'all' })) }),
  'slow-drops': async ({ view }, seed, gate) => {
    await gate.wait();
    return { edits: exchangeDrops(view, seed) };
  },
  'slow-then-throws': async (_context, _seed, gate) => {
    await gate.wait();
    throw new Error('too late');
  },
  hangs: () => new Promise(() => {}),
  throws: (_context, seed) => {
    throw [new Error('no'), 'a text', undefined, null, Object.freeze({ odd: true })][seed % 5];
  },
  rejects: (_context, seed) => Promise.reject([new Error('no'), 'a text', undefined, 7][seed % 4]),
  writes: ({ view, transcript }, seed) => {
    for (const { message } of [...view, ...transcript]) scribble(message);
    (view as ViewMessage[]).length = 0;
    (transcript as unknown[]).splice(0, 2);
    return { edits: made(anyEdits(view), seed) };
  },
  undeclared: ({ view }, seed) => ({ edits: made(anyEdits(view), seed) }),
  replans: ({ view, state }, seed) => ({
    edits: exchangeDrops(view, seed).slice(0, 1),
    state: { asked: Number(state?.asked ?? 0) + 1 },
    targetTokens: 0,
  }),
  'huge-notes': ({ view }, seed) => ({
    edits: exchangeDrops(view, seed).slice(0, 2),
    notes: { all: view.map(({ message }) => message), text: 'n'.repeat(50_000) },
    reason: 'r'.repeat(50_000),
  }),
} satisfies Record<string, Planner>;

export const anyHostile = fc.record({
  behaviour: often(
    [1, constant('random-edits')],
    [2, constantFrom(...(Object.keys(plans) as (keyof typeof plans)[]))],
  ),
  seed: int(0, 9999),
});
export type HostileSpec = MadeBy<typeof anyHostile>;

/** One of the values that an arbitrary makes, the same each time. */
function made<T>(arbitrary: fc.Arbitrary<T>, seed: number): T {
  return fc.sample(fc.noBias(arbitrary), { seed, numRuns: 1 })[0] as T;
}

function scribble(message: Message): void {
  try {
    (message as { content: unknown }).content = 'overwritten';
    (message as { pinned?: boolean }).pinned = false;
  } catch {}
  try {
    if (typeof message.content !== 'string') (message.content as unknown[]).pop();
  } catch {}
}

const idsOf = ({ messages }: Pick<Exchange, 'messages'>) => messages.map(({ id }) => id);

/** Drops some whole exchanges that nothing protects. */
function exchangeDrops(view: readonly ViewMessage[], seed: number): Edit[] {
  const free = exchangesOf(view).filter(({ pinned }) => !pinned);
  return made(fc.subarray(free), seed).map((one) => ({ type: 'drop', messages: idsOf(one), reason: 'some' }));
}

const edit = (type: string, fields: Record<string, fc.Arbitrary<unknown>>) =>
  fc.record({ type: constant(type), reason: constant('because'), ...fields });

const callsIn = ({ message }: ViewMessage) =>
  partsIn(message).flatMap((part) => ('toolCallId' in part ? [part.toolCallId] : []));

/** Takes some calls out of an exchange that has several, if there is one: mostly with all that holds them and nothing else, so that it is applied. */
function anyDropCalls(view: readonly ViewMessage[]): fc.Arbitrary<unknown> {
  const exchanges = exchangesOf(view).map(({ messages }) => ({
    messages,
    calls: [...new Set(messages.flatMap(callsIn))],
  }));
  const several = exchanges.filter(({ messages, calls }) => messages.length > 2 && calls.length > 0);
  return constantFrom(...(several.length > 0 ? several : exchanges))
    .chain(({ messages, calls }) =>
      fc.tuple(constant(messages), fc.subarray(calls, { minLength: Math.min(1, calls.length) })),
    )
    .chain(([messages, calls]) => {
      const holders = messages.filter((one) => callsIn(one).some((id) => calls.includes(id)));
      return often([6, dropCalls(holders, calls)], [1, dropCalls(messages, [...calls, 'nothing'])]);
    });
}

const dropCalls = (messages: readonly ViewMessage[], calls: readonly string[]) =>
  edit('drop-calls', { messages: constant(idsOf({ messages })), calls: constant(calls) });

/** Ids that no message has. */
const nobody = ['nobody', '', 'ctx:compression-1.0', 'compression-1.0', '__proto__'];
const texts = ['', ' ', 'short', '{}', '{"a":1}', 'a longer text that says a little more', '…', '[]'];

/** Edits as a strategy may return them, and some that none should. */
function anyEdits(view: readonly ViewMessage[]): fc.Arbitrary<Edit[]> {
  const ids = view.map(({ id }) => id);
  const id = constantFrom(...ids, ...ids, ...ids, ...nobody);
  const whole = constantFrom([], ...exchangesOf(view).map(idsOf));
  const run = fc.tuple(fc.nat(ids.length), int(1, 6)).map(([from, length]) => ids.slice(from, from + length));
  const messages = often([10, whole], [6, run], [1, run.map((some) => some.toReversed())], [3, upTo(4, id)]);
  const twoWhole = fc.tuple(whole, whole).map((both) => both.flat());
  const text = constantFrom(...texts);
  const part = often([9, int(0, 3)], [1, constantFrom(-1, 0.5, 1e9)]);
  const placement = constantFrom('first', 'last', 'nowhere');
  const edits = often(
    [10, edit('drop', { messages })],
    [12, edit('replace', { message: id, part, text })],
    [6, edit('merge', { messages: often([1, twoWhole], [1, messages]), text, placement })],
    [8, view.length === 0 ? edit('explode', {}) : anyDropCalls(view)],
    [1, edit('summarize', { messages, maxTokens: int(1, 200) })],
    [1, edit('fold', { message: id, part: int(0, 2), paths: constant(['src/a.ts']) })],
    [1, edit('explode', {})],
  );
  return upTo(8, edits) as fc.Arbitrary<never[]>;
}
