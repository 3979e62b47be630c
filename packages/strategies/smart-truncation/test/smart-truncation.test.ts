import {
  createContainer,
  type Folder,
  folderToken,
  type Message,
  type Part,
  type ToolOutput,
} from '@ctx/core';
import { fileReadTools } from '@ctx/core/kit';
import {
  and,
  assistant,
  call,
  deepFreeze,
  managerOf,
  planContextOf,
  result,
  system,
  testStrategy,
  transcript,
  user,
  words,
} from '@ctx/testing';
import fc from 'fast-check';
import { Middle, register, smartTruncation, toolFilter } from '../src/index.js';
import { middleRange } from '../src/middle-range.js';

testStrategy('smart-truncation', () => smartTruncation({ maxTokens: 'auto' }), {
  deviations: [
    {
      law: 'does nothing more to its own view',
      reason: 'the resulting view has a different middle, in which it continues until the target is met',
    },
  ],
});

const spoken = (tokens: number) => ({ ...assistant(words(tokens)), tokens });
const rangeOf = (sizes: readonly number[], startShare = 1 / 6, endShare = 5 / 6) =>
  middleRange(
    sizes.map((tokens, index) => ({ ...spoken(0), index, tokens, message: assistant('x') })),
    { startShare, endShare },
  );

describe('the middle', () => {
  test('starts where a sixth of the tokens is reached and ends where five sixths are', () => {
    expect(rangeOf(Array.from({ length: 12 }, () => 10))).toEqual({ start: 1, end: 9 });
    expect(rangeOf(Array.from({ length: 6 }, () => 7))).toEqual({ start: 1, end: 4 });
  });

  test('depends on tokens, not on the number of messages: one huge message may be all of it', () => {
    expect(rangeOf([10, 10, 10, 10_000, 10, 10])).toEqual({ start: 3, end: 3 });
  });

  test('never includes the first message, the last one or a system message', () => {
    expect(rangeOf([1000, 10, 10, 10, 1000])).toEqual({ start: 1, end: 3 });
    const messages = [system('s'), user('a'), system('t'), assistant('b'), user('c')];
    const view = messages.map((message, index) => ({ index, message, tokens: 10 }));
    expect(middleRange(view, { startShare: 0, endShare: 1 })).toEqual({ start: 3, end: 3 });
  });

  test('does not exist in a conversation of two messages', () => {
    expect(rangeOf([10, 10])).toBeUndefined();
    expect(rangeOf([])).toBeUndefined();
  });

  test('has at least two thirds of the tokens that are not at the ends, without gaps, for any sizes', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 3, maxLength: 60 }), (sizes) => {
        const range = rangeOf(sizes);
        if (range === undefined) return;
        const total = sizes.reduce((sum, size) => sum + size, 0);
        const inside = sizes.slice(range.start, range.end + 1).reduce((sum, size) => sum + size, 0);
        const ends = (sizes[0] as number) + (sizes.at(-1) as number);
        expect(inside + ends).toBeGreaterThanOrEqual((total * 2) / 3 - 1e-6);
        expect(range.start).toBeGreaterThan(0);
        expect(range.end).toBeLessThan(sizes.length - 1);
      }),
    );
  });
});

const run = (id: string, output = words(50), said?: string): Message[] =>
  transcript(
    said === undefined ? call(id, 'run', { id }) : and(assistant(said), call(id, 'run', { id })),
    result(id, output),
  );
const said = (text: string) => ({ type: 'text' as const, text });
const read = (id: string, output: ToolOutput = words(100)): Message[] =>
  transcript(call(id, 'read', { path: `${id}.ts` }), result(id, output));

type Options = Parameters<typeof smartTruncation>[0];
/** A manager whose folder port folds every text to one word. */
function managerFor(messages: readonly Message[], options: Options = {}, folded = 'names') {
  const container = createContainer();
  register(container);
  const asked: (readonly string[])[] = [];
  const fold: Folder['fold'] = async ({ paths }) => {
    asked.push(paths);
    return folded;
  };
  container.register(folderToken, { useValue: { fold } });
  const config = { options: { 'smart-truncation': options } };
  return { manager: managerOf(deepFreeze(messages), { container, config }), asked };
}

const middle = (middlePercentileStart: number, middlePercentileEnd: number) => ({
  ...{ middlePercentileStart, middlePercentileEnd },
  foldReads: false,
});

describe('the first step', () => {
  const messages = [
    user(words(300, 'task')),
    ...run('a', words(50), 'let me see'),
    ...run('b'),
    ...read('c'),
    ...transcript(
      and(call('d', 'run', {}), call('e', 'read', { path: 'e.ts' })),
      and(result('d', words(50)), result('e', words(100))),
    ),
    assistant(words(20, 'thought')),
    ...run('z'),
    assistant('found'),
    user(words(300, 'next')),
  ];

  test('drops the tool calls of the middle, and keeps text and file reads with their calls', async () => {
    const { manager } = managerFor(messages, middle(0, 95));
    await manager.compress({ strategy: 'smart-truncation', targetTokens: 860 });
    expect(manager.view()).toEqual([
      messages[0],
      assistant([{ type: 'text', text: 'let me see' }]),
      ...read('c'),
      ...read('e'),
      assistant(words(20, 'thought')),
      assistant('found'),
      messages.at(-1),
    ]);
    expect(manager.history[0]?.stages[0]?.notes).toMatchObject({ toolCallsRemoved: 4 });
  });

  test('leaves everything outside the middle as it is', async () => {
    const { manager } = managerFor(messages, middle(40, 45));
    await manager.compress({ strategy: 'smart-truncation', targetTokens: 0 });
    expect(manager.view().slice(0, 3)).toEqual(messages.slice(0, 3));
    expect(manager.view().slice(-3)).toEqual(messages.slice(-3));
  });
});

describe('the second step', () => {
  const messages = [
    ...read('a'),
    ...read('b'),
    ...transcript(call('c', 'read', { path: 'c.ts' }), result('c', words(90), { isError: true })),
    ...read('d'),
    assistant('so'),
    user('go'),
  ];

  test('folds every file read at any position, except errors, and what the model has not read', async () => {
    const { manager, asked } = managerFor(messages);
    await manager.compress({ strategy: 'smart-truncation', targetTokens: 150 });
    expect(asked).toEqual([['a.ts'], ['b.ts'], ['d.ts']]);
    expect(manager.view()[1]).toMatchObject({ content: [{ output: 'names' }] });
    expect(manager.view()[5]).toEqual(messages[5]);
    const unread = managerFor([...messages, ...read('e')]);
    await unread.manager.compress({ strategy: 'smart-truncation', targetTokens: 0 });
    expect(unread.asked).toEqual([['a.ts'], ['b.ts'], ['d.ts']]);
    expect(unread.manager.view().slice(-2)).toEqual(read('e'));
  });

  test('does not fold a read with an image, which would be lost', async () => {
    const value = [said(words(100)), { type: 'image' as const, image: 'AAAA' }];
    const { manager, asked } = managerFor([...read('p', { type: 'content', value }), ...messages]);
    await manager.compress({ strategy: 'smart-truncation', targetTokens: 450 });
    expect(asked).not.toContainEqual(['p.ts']);
  });

  test('does not fold the newest reads if asked not to', async () => {
    const { manager, asked } = managerFor(messages, { keepNewestReads: 2 });
    await manager.compress({ strategy: 'smart-truncation', targetTokens: 350 });
    expect(asked).toEqual([['a.ts']]);
  });

  test('keeps the original if the folded text is larger', async () => {
    const { manager } = managerFor(messages, {}, words(500));
    await manager.compress({ strategy: 'smart-truncation', targetTokens: 300 });
    expect(JSON.stringify(manager.view())).not.toContain(words(120));
    expect(manager.view().at(-2)).toEqual(messages.at(-2));
  });

  test('is followed by the third if no `fold` port is registered', async () => {
    const manager = managerOf(messages);
    const failures: unknown[] = [];
    manager.on('compression-fail', (failure) => failures.push(failure.error));
    const { record } = await manager.compress({ strategy: smartTruncation(), targetTokens: 300 });
    // What is missing for one file is missing for all.
    expect(failures).toMatchObject([{ code: 'port-missing' }]);
    expect(record?.stages[0]).toMatchObject({ status: 'progress', notes: { messagesDeleted: 4 } });
  });
});

describe('the third step', () => {
  test('drops ten messages around the centre, of 20 with 3,000 tokens each in the middle, to get from 80,000 to 50,000', async () => {
    const messages = [
      ...Array.from({ length: 2 }, () => assistant(words(5000))),
      ...Array.from({ length: 20 }, () => assistant(words(3000))),
      ...Array.from({ length: 2 }, () => assistant(words(5000))),
    ];
    const manager = managerOf(messages);
    const ids = manager.transcript.map(({ id }) => id);
    const { record } = await manager.compress({ strategy: smartTruncation(), targetTokens: 50_000 });
    expect(record).toMatchObject({
      tokensAfter: 50_000,
      stages: [{ notes: { messagesDeleted: 10, stillOverLimit: false } }],
    });
    expect(record?.removed.map((id) => ids.indexOf(id))).toEqual([7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
  });

  test('reports that it is still over the limit when the middle is used up', async () => {
    const messages = [user(words(900)), assistant(words(50)), assistant(words(50)), user(words(900))];
    const { record } = await managerOf(messages).compress({ strategy: smartTruncation(), targetTokens: 100 });
    expect(record?.stages[0]?.notes).toMatchObject({ stillOverLimit: true, messagesDeleted: 2 });
  });
});

test('an end before the start is rejected by name', () => {
  expect(() => smartTruncation(middle(60, 40))).toThrow(/middlePercentileEnd/);
});

describe('thinking', () => {
  const thought = (text: string): Part => ({ type: 'reasoning', text });
  const redacted: Part = { type: 'opaque', value: { type: 'redacted_thinking', data: 'xyz' } };
  const calling = (id: string, toolName = 'run'): Part => ({
    type: 'tool-call',
    toolCallId: id,
    toolName,
    input: { path: `${id}.ts` },
  });
  const exchange = (parts: readonly Part[]) =>
    transcript(
      assistant(parts),
      ...parts.flatMap((part) => (part.type === 'tool-call' ? [result(part.toolCallId, words(20))] : [])),
    );

  /** The assistant message of an exchange after the first step; undefined if the exchange left as a whole. */
  async function filtered(parts: readonly Part[]) {
    const messages = [user(words(100)), ...exchange(parts), assistant(words(100)), user('go on')];
    const manager = managerOf(deepFreeze(messages));
    const strategy = smartTruncation({ maxTokens: 'auto', ...middle(0, 100) });
    const before = manager.stats().countedTokens;
    const rejected: unknown[] = [];
    manager.on('edit-reject', (rejection) => rejected.push(rejection));
    await manager.compress({ strategy, targetTokens: before - 1 });
    expect(rejected).toEqual([]);
    const [, first] = manager.view();
    return first === messages.at(-2) ? undefined : first?.content;
  }

  test.each<[string, readonly Part[]]>([
    ['nothing but redacted thinking', [redacted, calling('a')]],
    ['nothing but both kinds of it', [thought('hm'), redacted, calling('a')]],
    ['a message that ends in thinking', [said('let me see'), thought('hm'), calling('a')]],
    ['a message that ends in redacted thinking', [said('let me see'), redacted, calling('a')]],
    ['a thought without what followed it', [thought('one'), calling('a'), thought('two'), said('so')]],
    ['one in the middle', [said('x'), thought('one'), calling('a'), calling('b'), redacted, said('so')]],
  ])('of an exchange that would leave %s, all leaves', async (_what, parts) => {
    expect(await filtered(parts)).toBeUndefined();
  });

  test.each<[string, readonly Part[], readonly number[]]>([
    ['what was said after a thought', [thought('hm'), said('let me see'), calling('a')], [0, 1]],
    ['the thoughts between', [redacted, said('x'), calling('a'), thought('hm'), said('y')], [0, 1, 3, 4]],
    ['a file read', [thought('hm'), calling('a'), calling('b', 'read')], [0, 2]],
  ])('%s stays with it', async (_what, parts, left) => {
    expect(await filtered(parts)).toEqual(left.map((index) => parts[index]));
  });

  test('an exchange with a file read stays unchanged if the read would have to leave with it', async () => {
    const parts = [thought('one'), calling('a'), thought('two'), calling('b', 'read')];
    const messages = [user('task'), ...exchange(parts), assistant(words(100)), user('go on')];
    const context = await planContextOf(messages, { targetTokens: 0 });
    const middle = new Middle(context.view.map(({ id }) => id));
    expect(toolFilter(() => middle, fileReadTools).plan(context)).toMatchObject({ edits: [] });
  });
});

describe('its own limit', () => {
  const turns = (count: number) =>
    Array.from({ length: count }, (_, index) => [
      ...run(`r${index}`, words(10), `thought ${index}`),
      assistant(words(100)),
    ]).flat();

  test.each([
    ['50,000 by default', {}, 49_880, 50_000],
    ['as given', { maxTokens: 45_000 }, 44_880, 45_000],
    ['none', { maxTokens: 'auto' as const }, 68_000, 70_000],
  ])('of %s is gone on to where the target is higher', async (_title, options, least, most) => {
    const messages = [user(words(100)), ...turns(640), user('go on')];
    const manager = managerOf(messages);
    const before = manager.stats().countedTokens;
    expect(before).toBeGreaterThan(70_000);
    const strategy = smartTruncation({ foldReads: false, ...options });
    await manager.compress({ strategy, targetTokens: 70_000 });
    const { countedTokens } = manager.stats();
    expect(countedTokens).toBeLessThanOrEqual(most);
    expect(countedTokens).toBeGreaterThan(least);
  });

  test.each([
    [50_000, false],
    [50_001, true],
  ])('of 50,000 tokens is met by %d: %p', async (tokens, isOver) => {
    const answers = [assistant(words(5)), assistant(words(10_994))];
    const messages = [user(words(tokens - 50_000 + 39_000)), ...answers, user('go')];
    const context = await planContextOf(messages, { targetTokens: 60_000 });
    const state = { next: 'delete', middle: context.view.map(({ id }) => id) };
    const { edits } = await smartTruncation().plan({ ...context, state });
    expect(edits.length > 0).toBe(isOver);
  });
});
