import type { Edit } from '@ctx/core';
import { exchangesOf, priorities } from '@ctx/core';
import { oldestRemoval } from '@ctx/strategy-oldest-removal';
import {
  arbitraryTranscript,
  assistant,
  expectView,
  planContextOf,
  testStrategy,
  user,
  words,
} from '@ctx/testing';
import fc from 'fast-check';

const strategy = oldestRemoval({ minMessagesToKeep: 1 });

testStrategy('oldest-removal', () => strategy);

const plain = (count: number) =>
  Array.from({ length: count }, (_, at) => user(`${words(49)} ${at}`, { priority: 'NORMAL' }));

test('the oldest message leaves first', () =>
  expectView(strategy, plain(6), plain(6).slice(2), { targetTokens: 200 }));

test('a new LOW message leaves before an old HIGH one', () => {
  const [old, low] = [user(words(50), { priority: 'HIGH' }), assistant('hm', { priority: 'LOW' })];
  const [normal, now] = [assistant(words(50), { priority: 'NORMAL' }), user('now?')];
  return expectView(strategy, [old, normal, low, now], [old, normal, now], { targetTokens: 101 });
});

test('time decides only between equals, and takes precedence over position', () => {
  const late = user(words(50), { createdAt: 900, priority: 'NORMAL' });
  const early = user(words(51), { createdAt: 100, priority: 'NORMAL' });
  const newest = user('now?', { createdAt: 901 });
  return expectView(strategy, [late, early, newest], [late, newest], { targetTokens: 60 });
});

test('the larger of its own minimum and the configuration’s is used', async () => {
  const droppedWith = async (minMessagesToKeep: number, options = {}) => {
    const context = await planContextOf(plain(10), { targetTokens: 0, minMessagesToKeep });
    return (await oldestRemoval(options).plan(context)).edits.length;
  };
  expect(await droppedWith(4, { minMessagesToKeep: 7 })).toBe(3);
  expect(await droppedWith(4, { minMessagesToKeep: 2 })).toBe(6);
  expect([await droppedWith(4), await droppedWith(1)]).toEqual([6, 9]);
});

test('if nothing may leave, the plan says so', async () => {
  const context = await planContextOf(plain(4), { targetTokens: 0, minMessagesToKeep: 4 });
  expect(await oldestRemoval().plan(context)).toEqual({ edits: [], reason: 'No message may be removed' });
});

test('options are checked', () => {
  expect(() => oldestRemoval({ minMessagesToKeep: 0 })).toThrow('oldest-removal.minMessagesToKeep');
  expect(() => oldestRemoval({ keep: 3 } as never)).toThrow('option of strategy "oldest-removal"');
});

test('a dropped message is never more important than one that stays, unless too few would stay', async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryTranscript, fc.nat({ max: 500 }), async (messages, targetTokens) => {
      const context = await planContextOf(messages, { targetTokens });
      const { edits } = await strategy.plan(context);
      const dropped = new Set(edits.flatMap((edit) => (edit as Edit<'drop'>).messages));
      const exchanges = exchangesOf(context.view).filter(({ pinned, tokens }) => !pinned && tokens > 0);
      const ranks = (gone: boolean) =>
        exchanges
          .filter((exchange) => dropped.has(exchange.messages[0]?.id as string) === gone)
          .map((exchange) => priorities.indexOf(exchange.priority));
      const stays = ranks(false);
      if (context.view.length - dropped.size <= 3) return;
      for (const rank of ranks(true)) expect(rank).toBeGreaterThanOrEqual(Math.max(...stays, -1));
    }),
    { numRuns: 20 },
  );
});
