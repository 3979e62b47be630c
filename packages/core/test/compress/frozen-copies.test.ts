import { assistant, call, managerOf, result, transcript, user, words } from '@ctx/testing';
import { parseJson, stringifyJson } from '../../src/base/exact-json.js';
import { FrozenCopies } from '../../src/base/frozen-copies.js';
import { type CompressionStrategy, defineStrategy, type Message } from '../../src/index.js';
import { drop, planning } from '../edits.js';

// biome-ignore lint/suspicious/noExplicitAny: what is read-only is written to.
type Writable = any;

const said = (): Message[] =>
  transcript(
    user(words(400)),
    call('1', 'read', { path: 'a.ts', lines: [1, 2] }),
    { ...result('1', words(400)), metadata: { native: { seen: false } } },
    assistant(words(400)),
    user('Now write the tests.'),
  );

/** A run with a strategy that writes into messages, followed by one that works. */
async function compressedBy(plan: CompressionStrategy['plan']) {
  const hostile = defineStrategy({ name: 'hostile', emits: ['drop'], plan });
  const honest = { ...planning(drop('m1')), name: 'honest' };
  const messages = said();
  const manager = managerOf(messages, { strategies: [hostile, honest] });
  const outcome = await manager.compress({ targetTokens: 10 });
  return { messages, manager, hostile, stages: outcome.record?.stages ?? [] };
}

function set(object: Writable, key: string, value: unknown): void {
  object[key] = value;
}

const writings: readonly [what: string, write: (context: Writable) => unknown][] = [
  ['a text', ({ view }) => set(view[0].message, 'content', 'new rules')],
  ['an input', ({ view }) => set(view[1].message.content[0].input, 'path', 'b.ts')],
  ['a list in an input', ({ transcript: all }) => all[1].message.content[0].input.lines.push(3)],
  ['a shorter list', ({ view }) => view[1].message.content.pop()],
  ['a new field', ({ view }) => set(view[0].message, 'pinned', true)],
  ['one field fewer', ({ view }) => delete view[2].message.metadata],
  ['the metadata of a host', ({ view }) => set(view[2].message.metadata.native, 'seen', true)],
  [
    'a different order of fields',
    ({ view }) => {
      const { role } = view[0].message;
      delete view[0].message.role;
      set(view[0].message, 'role', role);
    },
  ],
  [
    'a getter',
    ({ view }) => Object.defineProperty(view[0].message, 'content', { get: () => 'x', configurable: true }),
  ],
];

describe.each(writings)('a strategy that writes %s into a message', (_, write) => {
  test.each<[how: string, plan: CompressionStrategy['plan']]>([
    [
      'and plans',
      (context) => {
        write(context);
        return { edits: [] };
      },
    ],
    [
      'and plans later',
      async (context) => {
        await Promise.resolve();
        write(context);
        return { edits: [] };
      },
    ],
  ])('%s, fails; the message stays as it is and the next stage runs', async (_how, plan) => {
    const { messages, manager, stages } = await compressedBy(plan);
    expect(messages).toEqual(said());
    expect(JSON.stringify(manager.transcript.map(({ message }) => message))).toBe(JSON.stringify(said()));
    expect(stages).toMatchObject([
      { strategy: 'hostile', status: 'failed', error: expect.stringContaining('TypeError') },
      { strategy: 'honest', status: 'progress' },
    ]);
  });
});

test('a strategy may change the lists it is given', async () => {
  const { messages, stages } = await compressedBy((context) => {
    const { view, transcript: all } = context as Writable;
    view.length = 0;
    all.length = 0;
    return { edits: [] };
  });
  expect(messages).toEqual(said());
  expect(stages[0]).toMatchObject({ strategy: 'hostile', status: 'no-progress' });
});

test('a strategy sees the same copies in the view, in the transcript and in every later plan', async () => {
  const seen: unknown[][] = [];
  const { manager, hostile } = await compressedBy(({ view, transcript: all }) => {
    seen.push(view.map(({ message }) => message));
    seen.push(all.slice(-view.length).map(({ message }) => message));
    return { edits: [] };
  });
  await manager.compress({ targetTokens: 10, strategy: hostile });
  const [view, all, later] = seen;
  expect(view?.every((message, at) => message === all?.[at])).toBe(true);
  expect(later?.every((message) => view?.includes(message))).toBe(true);
});

test('a copy of a ring is a ring, and what stands in it twice stands in its copy twice', () => {
  const ring: Record<string, unknown> = { name: 'ring', items: [{ at: 0 }] };
  Object.assign(ring, { itself: ring, twice: [ring.items, ring.items] });
  const copy = new FrozenCopies().of({ native: ring }).native as Writable;
  expect(copy).not.toBe(ring);
  expect(copy.itself).toBe(copy);
  expect(copy.twice[0]).toBe(copy.items);
  expect(() => set(copy.items[0], 'at', 1)).toThrow(TypeError);
});

test('numbers keep how they are written, bytes are shared, and a field called __proto__ is a field', () => {
  const text = '{"list":[1.0,12345678901234567890],"__proto__":{"a":[1e3]}}';
  const bytes = new Uint8Array(2);
  const copies = new FrozenCopies();
  expect(stringifyJson(copies.of(parseJson(text) as object))).toBe(text);
  expect(copies.of({ data: { bytes } }).data.bytes).toBe(bytes);
});

test('nothing that belongs to the caller is frozen', async () => {
  const { messages } = await compressedBy(() => ({ edits: [] }));
  const lists = messages.map(({ content }) => content).filter((content) => typeof content === 'object');
  expect([...messages, ...lists].some(Object.isFrozen)).toBe(false);
});
