import { assistant, call, result, transcript, user, words } from '@ctx/testing';
import { finish } from '../../src/base/slices.js';
import { MessageGuard } from '../../src/compress/message-guard.js';
import {
  type CompressionStrategy,
  createContainer,
  createContextManager,
  defineStrategy,
  type Message,
  type PlanContext,
  registerStrategy,
} from '../../src/index.js';

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
  const container = createContainer();
  const hostile = defineStrategy({ name: 'hostile', emits: ['drop'], plan });
  const honest = defineStrategy({
    name: 'honest',
    emits: ['drop'],
    plan: ({ view }) => ({
      edits: [{ type: 'drop', messages: view.slice(0, 1).map(({ id }) => id), reason: 'old' }],
    }),
  });
  for (const strategy of [hostile, honest]) registerStrategy(container, strategy);
  const manager = createContextManager({
    container,
    config: { contextWindow: 100_000, throttleMs: 0, pipeline: ['hostile', 'honest'] },
  });
  const messages = said();
  for (const message of messages) manager.append(message);
  const outcome = await manager.compress({ targetTokens: 10 });
  return { messages, manager, stages: outcome.record?.stages ?? [] };
}

const set = (object: Writable, key: string, value: unknown) => Reflect.set(object, key, value);

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
    ({ view }) =>
      Object.defineProperty(view[0].message, 'content', {
        get: () => 'x',
        configurable: true,
        enumerable: true,
      }),
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
    [
      'and throws',
      (context) => {
        write(context);
        throw new Error('no');
      },
    ],
  ])('%s, fails; the message is restored and the next stage runs', async (_how, plan) => {
    const { messages, manager, stages } = await compressedBy(plan);
    expect(messages).toEqual(said());
    expect(JSON.stringify(manager.transcript.map(({ message }) => message))).toBe(JSON.stringify(said()));
    expect(stages).toMatchObject([
      { strategy: 'hostile', status: 'failed', error: expect.stringContaining('changed a message') },
      { strategy: 'honest', status: 'progress' },
    ]);
  });
});

test('the error names the strategy, the message and the field', async () => {
  const container = createContainer();
  const plan = ({ view }: PlanContext) => {
    set((view[1] as Writable).message.content[0], 'toolName', 'bash');
    return { edits: [] };
  };
  registerStrategy(container, defineStrategy({ name: 'hostile', emits: ['drop'], plan }));
  const manager = createContextManager({ container, config: { pipeline: ['hostile'], throttleMs: 0 } });
  for (const message of said()) manager.append(message);
  const errors: unknown[] = [];
  manager.on('compression-fail', ({ error }) => errors.push(error));
  await manager.compress({ targetTokens: 10 });
  expect(errors[0]).toMatchObject({
    code: 'message-changed',
    place: `message "${manager.transcript[1]?.id}"`,
    value: 'toolName',
    message: expect.stringContaining(
      'Strategy "hostile" changed a message that it was given; the message was put back',
    ),
  });
});

test('a strategy may change the lists it is given, and writing an equal text is no change', async () => {
  const { messages, stages } = await compressedBy((context) => {
    const { view, transcript: all } = context as Writable;
    set(view[0].message, 'content', `${view[0].message.content}`);
    view.length = 0;
    all.length = 0;
    return { edits: [] };
  });
  expect(messages).toEqual(said());
  expect(stages[0]).toMatchObject({ strategy: 'hostile', status: 'no-progress' });
});

test('nothing that belongs to the caller is frozen', async () => {
  const { messages } = await compressedBy(() => ({ edits: [] }));
  const lists = messages.map(({ content }) => content).filter((content) => typeof content === 'object');
  expect([...messages, ...lists].some(Object.isFrozen)).toBe(false);
});

test('a ring in what a codec keeps beside a message is watched once, and put back', () => {
  const ring: Record<string, unknown> = {
    name: 'ring',
    items: Array.from({ length: 3_000 }, (_, at) => ({ at })),
  };
  Object.assign(ring, { itself: ring, twice: [ring, ring] });
  const message = { role: 'user', content: 'Hello', native: ring };
  const guard = new MessageGuard();
  finish(guard.watch([{ id: 'm1', message }]));
  guard.check('honest');
  set((ring.items as unknown[])[2_999] as Writable, 'at', -1);
  expect(() => guard.check('hostile')).toThrow(
    expect.objectContaining({ place: 'message "m1"', value: 'at' }),
  );
  expect((ring.items as unknown[])[2_999]).toEqual({ at: 2_999 });
  guard.check('honest');
});

test('a part that two messages share is put back in both', () => {
  const part = { type: 'text', text: 'Hello' };
  const messages = ['m1', 'm2'].map((id) => ({ id, message: { role: 'user', content: [part] } }));
  const guard = new MessageGuard();
  finish(guard.watch(messages));
  set(part as Writable, 'text', 'Goodbye');
  expect(() => guard.check('hostile')).toThrow(
    expect.objectContaining({ place: 'message "m1"', value: 'text' }),
  );
  expect(messages.map(({ message }) => message.content[0]?.text)).toEqual(['Hello', 'Hello']);
});
