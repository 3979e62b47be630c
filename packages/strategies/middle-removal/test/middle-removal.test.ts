import type { Message } from '@ctx/core';
import { middleRemoval } from '@ctx/strategy-middle-removal';
import {
  assistant,
  call,
  checkLaws,
  expectView,
  planContextOf,
  result,
  system,
  testStrategy,
  transcript,
  user,
  words,
} from '@ctx/testing';

testStrategy('middle-removal', () => middleRemoval({ minMessagesToKeep: 1 }));

const numbered = (count: number, size = 50): Message[] =>
  Array.from({ length: count }, (_, at) => user(`${words(size - 1)} ${at}`, { priority: 'NORMAL' }));
/** Eight messages, those at these positions LOW. */
const withLow = (...low: number[]) =>
  numbered(8).map((one, position): Message => (low.includes(position) ? { ...one, priority: 'LOW' } : one));
const strategy = middleRemoval({ preserveStart: 2, preserveEnd: 2, minMessagesToKeep: 1 });
const at = (messages: readonly Message[], ...positions: number[]) =>
  positions.map((position) => messages[position] as Message);

test('the start and the end stay, and the oldest message of the middle leaves first', () => {
  const messages = numbered(8);
  return expectView(strategy, messages, at(messages, 0, 1, 4, 5, 6, 7), { targetTokens: 300 });
});

test('the least important message of the middle leaves first', () => {
  const messages = withLow(4);
  return expectView(strategy, messages, at(messages, 0, 1, 2, 3, 5, 6, 7), { targetTokens: 350 });
});

test('once the middle is used up, LOW messages of the start leave, then those of the end', async () => {
  const messages = withLow(1, 6);
  await expectView(strategy, messages, at(messages, 0, 6, 7), { targetTokens: 150 });
  await expectView(strategy, messages, at(messages, 0, 7), { targetTokens: 0 });
});

test('a LOW message at the end stays as long as the middle has any', () => {
  const messages = withLow(6);
  return expectView(strategy, messages, at(messages, 0, 1, 6, 7), { targetTokens: 200 });
});

test('at level EMERGENCY, NORMAL messages of the start and the end leave too, but never the newest user message', async () => {
  const messages = numbered(8);
  await expectView(strategy, messages, at(messages, 0, 1, 6, 7), { targetTokens: 0 });
  await expectView(strategy, messages, at(messages, 7), { targetTokens: 0, contextWindow: 400 });
});

test('an exchange that reaches into the start or the end belongs to it', () => {
  const said = [user(words(20)), call('a', 'read'), result('a', words(20)), user(words(20))];
  const then = [call('b', 'read'), result('b', words(20)), assistant('so it is')];
  const normal = [...said, ...then].map((one): Message => ({ ...one, priority: 'NORMAL' }));
  const messages = transcript(...normal, user('now?'));
  const ends = middleRemoval({ preserveStart: 2, preserveEnd: 3, minMessagesToKeep: 1 });
  return expectView(ends, messages, messages.toSpliced(3, 1), { targetTokens: 0 });
});

describe('the known defects are not present', () => {
  test('of ten messages of 50 tokens with a target of 300, four are named as dropped and six stay', async () => {
    const messages = numbered(10);
    const ends = middleRemoval({ preserveStart: 2, preserveEnd: 3 });
    const { messages: kept, record } = await checkLaws(ends, messages, { targetTokens: 300 });
    expect(kept).toHaveLength(6);
    expect(record?.removed).toEqual(['m3', 'm4', 'm5', 'm6']);
  });

  test('seven messages with four at the start and five at the end are not doubled', async () => {
    const ends = middleRemoval({ preserveStart: 4, preserveEnd: 5 });
    const { messages, record } = await checkLaws(ends, numbered(7), { targetTokens: 0 });
    expect(messages).toEqual(numbered(7));
    expect(record).toBeUndefined();
  });
});

test('the smallest number of messages always stays', async () => {
  const messages = [system('be kind'), ...numbered(20)];
  const context = await planContextOf(messages, { targetTokens: 0, minMessagesToKeep: 9 });
  expect((await middleRemoval({ minMessagesToKeep: 12 }).plan(context)).edits).toHaveLength(9);
  expect((await middleRemoval({ minMessagesToKeep: 2 }).plan(context)).edits).toHaveLength(11);
});

test('the larger of its own minimum and the configuration’s is used', async () => {
  const answers = Array.from({ length: 6 }, () => assistant('so it is'));
  const messages = [...numbered(1), ...answers, user('and now?')];
  const droppedWith = async (minMessagesToKeep: number, options = {}) => {
    const context = await planContextOf(messages, { targetTokens: 0, minMessagesToKeep });
    const strategy = middleRemoval({ preserveStart: 1, preserveEnd: 1, ...options });
    return (await strategy.plan(context)).edits.length;
  };
  expect(await droppedWith(1)).toBe(6);
  expect(await droppedWith(5)).toBe(3);
  expect(await droppedWith(5, { minMessagesToKeep: 2 })).toBe(3);
  expect(await droppedWith(2, { minMessagesToKeep: 5 })).toBe(3);
});

test('if nothing may leave, the plan says so', async () => {
  const context = await planContextOf(numbered(4), { targetTokens: 0 });
  expect(await middleRemoval().plan(context)).toEqual({
    edits: [],
    reason: 'No message between the start and the end may be removed',
  });
});

test('text that an assistant says between tool calls leaves before the calls', async () => {
  const round = (id: string) => [call(id, 'read'), result(id, words(30)), assistant('ok')];
  const messages = transcript(user(words(30)), ...[...'abcdef'].flatMap(round), user('now?'));
  const { messages: kept } = await checkLaws(middleRemoval(), messages, { targetTokens: 227 });
  expect(kept.filter(({ role }) => role === 'tool')).toHaveLength(6);
});

test('options are checked', () => {
  expect(() => middleRemoval({ preserveStart: 0 })).toThrow('middle-removal.preserveStart');
});
