import { and, assistant, call, managerOf, result, transcript, user, wordCounter, words } from '@ctx/testing';
import { ContextManager, messageText } from '../../src/index.js';
import { idleArchive } from '../idle-archive.js';

const messages = transcript(
  user('Where is the port set?'),
  call('a', 'recall'),
  result('a', words(60, 'recalled')),
  and(call('b', 'recall'), call('c', 'search')),
  and(result('b', words(60, 'again')), result('c', words(10, 'found'))),
  assistant(words(10, 'said')),
  call('d', 'recall'),
  result('d', words(20, 'unread')),
);

test('what a tool recalled leaves first, with its calls and nothing else, unless the model has not read it', async () => {
  const manager = managerOf(messages, { contextWindow: 1_000, config: { recallTool: 'recall' } });
  const { record } = await manager.compress({ targetTokens: 100 });
  expect(record?.stages).toMatchObject([{ strategy: 'recalled', edits: 2, status: 'progress' }]);
  const texts = manager.view().map(messageText).join('\n');
  for (const gone of ['recalled', 'again']) expect(texts).not.toContain(words(60, gone));
  for (const kept of [words(10, 'found'), words(10, 'said'), words(20, 'unread')])
    expect(texts).toContain(kept);
});

test('without such a tool, its results are like any other', async () => {
  const manager = managerOf(messages, { contextWindow: 1_000 });
  const { stages } = await manager.compress({ targetTokens: 100 });
  expect(stages).toEqual([]);
});

test('what a tool recalled is not archived again', async () => {
  const kept: number[] = [];
  const keep = async (_: string, some: readonly { readonly number: number }[]) => {
    kept.push(...some.map(({ number }) => number));
  };
  const archive = { ...idleArchive, keep };
  const config = { recallTool: 'recall', contextWindow: 1_000 };
  const manager = new ContextManager({ archive, counter: wordCounter, config });
  for (const message of messages) manager.append(message);
  await manager.compress({ targetTokens: 100 });
  expect([await manager.archived(), kept]).toEqual([true, expect.not.arrayContaining([2, 3])]);
  expect(kept).toEqual(expect.arrayContaining([1, 4, 5]));
});
