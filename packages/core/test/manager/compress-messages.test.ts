import { ContextOverflowError, compressMessages } from '@ctx/core';
import { deepFreeze, user, wordCounter, words } from '@ctx/testing';
import { drop, planning } from '../edits.js';

const messages = deepFreeze(Array.from({ length: 6 }, (_, at) => user(`${words(19)} ${at}`)));
test('compresses once and returns the very objects it was given', async () => {
  const outcome = await compressMessages(messages, {
    strategy: planning(drop('m1')),
    targetTokens: 110,
    counter: wordCounter,
  });
  expect(outcome.messages).toEqual(messages.slice(1));
  expect(outcome.messages.every((message) => messages.includes(message))).toBe(true);
  expect(outcome).toMatchObject({ status: 'insufficient', record: { strategy: 'planning' } });
});

describe('has only the window that it is given', () => {
  const within = (contextWindow: number) =>
    compressMessages(messages, { targetTokens: 5, counter: wordCounter, config: { contextWindow } });

  test('so the newest message is cut to fit it', async () => {
    const { messages: left, record } = await within(10);
    expect(left).toEqual([user('…')]);
    expect(record?.relaxed).toBe('last-resort');
  });

  test('and an error says that nothing fits it', async () => {
    await expect(within(3)).rejects.toThrow(ContextOverflowError);
  });
});

test('has no window if none is given, or undefined', async () => {
  const config = { contextWindow: undefined, overhead: { message: 5_000, conversation: 0 } };
  const { status } = await compressMessages(messages, { targetTokens: 40_000, counter: wordCounter, config });
  expect(status).toBe('unchanged');
});
