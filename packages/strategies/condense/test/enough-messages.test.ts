import type { Edit } from '@ctx/core';
import { createContainer, type Message, summarizerToken } from '@ctx/core';
import { slidingWindow } from '@ctx/strategy-sliding-window';
import {
  assistant,
  call,
  managerOf,
  planContextOf,
  result,
  system,
  transcript,
  user,
  wordCounter,
  words,
} from '@ctx/testing';
import { condense, createSummarizer, register } from '../src/index.js';

const talk = (count: number) =>
  Array.from({ length: count }, (_, index) => assistant(words(40, `a${index}`)));
const conversation = [system('be kind'), user(words(30, 'task')), ...talk(20), user('and now?')];

type Keep = NonNullable<Parameters<typeof condense>[0]>['keep'];

function managerFor(messages: readonly Message[], keep: Keep, minMessagesToKeep: number) {
  let asked = 0;
  const container = createContainer();
  container.register(summarizerToken, {
    useValue: {
      summarize: async () => {
        asked += 1;
        return { text: 'the summary' };
      },
    },
  });
  register(container);
  const config = { options: { condense: { keep } } };
  const manager = managerOf(messages, { container, minMessagesToKeep, config });
  const run = () => manager.compress({ strategy: 'condense', targetTokens: 100 });
  return { manager, run, asked: () => asked };
}

describe.each<[string, Keep, number]>([
  ['fresh', { mode: 'fresh' }, 3],
  ['the last message', { mode: 'last', last: 1 }, 3],
  ['the last two messages', { mode: 'last', last: 2 }, 4],
  ['the last three messages', { mode: 'last', last: 3 }, 5],
])('%s', (_what, keep, literally) => {
  test('with the default minimum of 4 succeeds, and keeps as many of the newest as necessary', async () => {
    const { manager, run, asked } = managerFor(conversation, keep, 4);
    const { record } = await run();
    expect(record?.rejected).toEqual([]);
    const left = Math.max(4, literally);
    expect(manager.view()).toEqual([
      conversation[0],
      { role: 'user', content: 'the summary', summary: true },
      ...conversation.slice(-(left - 2)),
    ]);
    expect(asked()).toBe(1);
  });

  test('and with a minimum of 1 is taken literally', async () => {
    const { manager, run } = managerFor(conversation, keep, 1);
    await run();
    expect(manager.view()).toHaveLength(literally);
  });

  test('with a minimum equal to the number of messages, nobody is asked, and the outcome says why', async () => {
    const { manager, run, asked } = managerFor(conversation, keep, conversation.length);
    expect(await run()).toMatchObject({
      status: 'insufficient',
      reason: 'no stage made progress: condense: Not enough messages to condense context',
    });
    expect(asked()).toBe(0);
    expect(manager.view()).toEqual(conversation);
  });
});

test('for any kept messages and any minimum, nobody is asked for a summary that can not be used', async () => {
  const calls = transcript(call('1', 'read', {}), result('1', words(30)));
  const messages = [user(words(30)), ...talk(4), ...calls, ...talk(3), user('go on')];
  for (let least = 1; least <= messages.length + 2; least += 1) {
    for (const mode of ['fresh', 'last', 'edges', 'important'] as const) {
      const { manager, run, asked } = managerFor(messages, { mode, recent: 0 }, least);
      const { record } = await run();
      expect(record?.rejected ?? []).toEqual([]);
      expect([mode, least, asked()]).toEqual([mode, least, record === undefined ? 0 : 1]);
      expect(manager.view().length).toBeGreaterThanOrEqual(Math.min(least, messages.length));
    }
  }
});

test('a sliding window is as large as the minimum, and the oldest messages leave', async () => {
  const big = transcript(call('1', 'read', {}), result('1', words(30)));
  const messages = [user('task'), ...talk(1), ...big, ...talk(4), user('go on')];
  const manager = managerOf(messages, { minMessagesToKeep: 7 });
  await manager.compress({ strategy: slidingWindow({ sizes: [1] }), targetTokens: 0 });
  expect(manager.view()).toEqual([messages[0], ...messages.slice(2)]);
});

test('a sliding window that has nothing to do says so', async () => {
  const { reason } = await managerOf(talk(3)).compress({
    strategy: slidingWindow({ sizes: [20] }),
    targetTokens: 0,
  });
  expect(reason).toBe('no stage made progress: sliding-window: Every message is among the newest');
});

describe('the length of a summary', () => {
  const long = [user('task'), ...talk(3000), user('and now?')];
  const lengthsFor = async (targetTokens: number, messages = long, options = {}) => {
    const context = await planContextOf(messages, { targetTokens });
    const [edit] = condense({ keep: { mode: 'last', last: 1 }, ...options }).plan(context).edits;
    const { maxTokens, roomTokens } = edit as Edit<'summarize'>;
    return { maxTokens, roomTokens };
  };

  test.each([
    [400, 256],
    [1024, 256],
    [4003, 1000],
    [32_000, 8000],
    [100_000, 8000],
  ])('of a target of %d tokens a model may use %d', async (targetTokens, maxTokens) => {
    expect((await lengthsFor(targetTokens)).maxTokens).toBe(maxTokens);
  });

  test('is, with passages, all the room that the other messages leave', async () => {
    expect((await lengthsFor(24_000)).roomTokens).toBe(24_000 - 2);
    expect((await lengthsFor(100)).roomTokens).toBe(256);
  });

  test('is, with passages, at most three quarters of the messages it replaces', async () => {
    expect((await lengthsFor(24_000, [...talk(20), user('go on')])).roomTokens).toBe(600);
  });

  test('is the one that the options give, with and without a model', async () => {
    const lengths = (messages: Message[]) => lengthsFor(24_000, messages, { maxSummaryTokens: 777 });
    expect(await lengths(long)).toEqual({ maxTokens: 777, roomTokens: 777 });
    expect(await lengths([...talk(20), user('go on')])).toEqual({ maxTokens: 777, roomTokens: 600 });
  });

  test('is three fifths for a model, and the rest for the ledger', async () => {
    const lengths: number[] = [];
    const model = {
      name: 'stub',
      complete: async ({ maxTokens }: { readonly maxTokens: number }) => {
        lengths.push(maxTokens);
        return { text: 'They worked on it.', stopReason: 'stop' as const };
      },
    };
    const messages = talk(20);
    for (const maxTokens of [1000, 1001, 333]) {
      await createSummarizer({ model }).summarize({
        messages,
        originals: messages.map((message, index) => ({ message, number: index + 1 })),
        maxTokens,
        roomTokens: 50_000,
        contextWindow: 100_000,
        automatic: true,
        tokensOf: (text) => wordCounter.count(text),
        signal: new AbortController().signal,
      });
    }
    expect(lengths).toEqual([600, 601, 200]);
  });
});
