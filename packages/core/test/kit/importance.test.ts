import { arbitraryTranscript, assistant, result, user, words } from '@ctx/testing';
import fc from 'fast-check';
import type { Message } from '../../src/index.js';
import { onlySays, scoreMessage, scoreMessages } from '../../src/kit/importance.js';

const compat = { compat: true };
const scored = (message: Message, index: number, count: number, tokens: number, options = {}) =>
  scoreMessage(message, { index, count, tokens }, options);

describe('the vectors of the design', () => {
  describe.each([
    ['taken literally', compat],
    ['by default', {}],
  ])('%s', (_how, options) => {
    const [use, short] = ["Command keyword '使用' (+15)", 'Short user command (+15)'];
    test.each<[Message, number, number, number, number, string[]]>([
      [user('必须使用 PostgreSQL 数据库'), 5, 20, 15, 100, ["Command keyword '必须' (+15)", short]],
      [assistant('好的，我明白了'), 10, 20, 8, 40, ['Low-value acknowledgment (-10)']],
      [user('Please continue'), 18, 20, 10, 100, ['Recent message (+25)', short]],
      [user('使用红色主题'), 3, 20, 10, 100, ['Early message (+10)', use, short]],
      [user('添加删除功能'), 6, 20, 10, 85, ['User message (+20)', short]],
    ])('%j at %d of %d with %d tokens scores %d', (message, index, count, tokens, score, reasons) => {
      const result = scored(message, index, count, tokens, options);
      expect(result.score).toBe(score);
      expect(result.reasons).toEqual(expect.arrayContaining(reasons));
    });
  });

  test('a message that only says to go on is worth little by default, once it is no longer recent', () => {
    expect(scored(user('Please continue'), 17, 20, 10).score).toBe(100);
    expect(scored(user('Please continue'), 16, 20, 10).score).toBe(60);
    expect(scored(user('继续'), 16, 20, 2).reasons).toContain('Low-value acknowledgment (-10)');
  });

  test('a message is very long from 5,001 tokens on', () => {
    expect(scored(assistant('so'), 8, 20, 5000)).toMatchObject({ score: 50, reasons: [] });
    expect(scored(assistant('so'), 8, 20, 5001)).toMatchObject({
      score: 40,
      reasons: ['Very long message (-10)'],
    });
  });
});

describe('the reasons', () => {
  test.each<[string, Message, number, number]>([
    ['User message (+20)', user('hello there'), 8, 30],
    ['First message (+30)', assistant('hello there'), 0, 30],
    ['Recent message (+25)', assistant('hello there'), 17, 30],
    ['Early message (+10)', assistant('hello there'), 4, 30],
    ["Command keyword 'must' (+15)", assistant('this must be'), 8, 30],
    ['Technical decisions (2 keywords, +10)', assistant('redis and vue'), 8, 30],
    ['Technical decisions (5 keywords, +20)', assistant('redis vue react mysql java'), 8, 30],
    ['Error/problem mention (+10)', assistant("it doesn't work"), 8, 30],
    ['Contains code block (+10)', assistant('```\nx\n```'), 8, 30],
    ['Short user command (+15)', user('add a button'), 8, 19],
    ['Medium user message (+10)', user('add a button'), 8, 20],
    ['Very long message (-10)', assistant('so'), 8, 5001],
    ['Summary message (+25)', { ...user('so far'), summary: true }, 8, 150],
    ['Low-value acknowledgment (-10)', assistant('OK!'), 8, 2],
  ])('%s', (reason, message, index, tokens) => {
    expect(scored(message, index, 20, tokens).reasons).toContain(reason);
  });

  test('only one position counts, and only one command', () => {
    const { reasons } = scored(user('you must always use all'), 0, 2, 30);
    expect(reasons).toEqual([
      'User message (+20)',
      'First message (+30)',
      "Command keyword 'must' (+15)",
      'Medium user message (+10)',
    ]);
  });
});

describe('words within words', () => {
  const text = 'because the call is for the rest, and they support it';

  test('count literally in compat mode, and otherwise not', () => {
    expect(scored(assistant(text), 8, 20, 30, compat).score).toBe(75);
    expect(scored(assistant(text), 8, 20, 30).reasons).toEqual(['Technical decisions (1 keywords, +5)']);
  });

  test('in scripts without spaces, keywords count anywhere', () => {
    expect(scored(assistant('我们必须先认证用户'), 8, 20, 30).score).toBe(70);
  });
});

describe('an acknowledgment', () => {
  test.each(['继续', 'ok', 'OK.', 'Sure, go on', 'yes please', '好的，继续', '明白了。', 'Got it, thanks!'])(
    '%s is one, and worth little',
    (text) => {
      expect(scored(user(text), 8, 20, 3).score).toBeLessThan(70);
    },
  );

  test.each([
    'ok, but use Redis',
    'yes, the second one',
    'continue with the tests in src/a.ts',
    '好的设计要有测试',
  ])('%s is not one', (text) => {
    expect(scored(user(text), 8, 20, 9).reasons).not.toContain('Low-value acknowledgment (-10)');
    expect(scored(user(text), 8, 20, 9).score).toBeGreaterThanOrEqual(70);
  });
});

test('keywords can be replaced, one group at a time, or extended', () => {
  const scoresWith = (command: string[] | { add: string[] }) =>
    ['Bitte so', 'you must', 'redis'].map(
      (text) => scored(assistant(text), 8, 20, 30, { keywords: { command } }).score,
    );
  expect(scoresWith(['bitte', '请'])).toEqual([65, 50, 55]);
  expect(scoresWith({ add: ['bitte'] })).toEqual([65, 65, 55]);
});

test('a tool result does not count as text', () => {
  expect(scored(result('1', 'you must use redis, error'), 8, 20, 30).score).toBe(50);
});

test('every score is a whole number from 0 to 100 and is the sum of its reasons', () => {
  fc.assert(
    fc.property(arbitraryTranscript, fc.nat(7000), fc.boolean(), (messages, tokens, literally) => {
      const scores = scoreMessages(
        messages.map((message) => ({ message, tokens })),
        { compat: literally },
      );
      for (const { score, reasons } of scores) {
        const sum = reasons.reduce((all, reason) => all + Number(/([+-]\d+)\)$/.exec(reason)?.[1]), 50);
        expect(score).toBe(Math.max(0, Math.min(100, sum)));
      }
    }),
  );
});

test('a message of a million words takes linear time', () => {
  expect(scored(assistant(words(1_000_000, 'ok must')), 8, 20, 30).score).toBeGreaterThan(0);
  expect(scored(user(`${'ok '.repeat(300_000)}x`), 8, 20, 30).score).toBeGreaterThan(0);
});

test('keywords of a host are found with any white space between their words, and blank ones never', () => {
  const found = (text: string, command: string[]) =>
    scored(user(text), 10, 20, 500, { keywords: { command } }).reasons.some((one) =>
      one.startsWith('Command'),
    );
  expect(found('you must\n  not', ['must  not'])).toBe(true);
  expect(found('mustnot', ['must not'])).toBe(false);
  expect(found(`${' '.repeat(200_000)}x`, ['  ', 'y'])).toBe(false);
});

const phrases = ['ok', 'thank you', '好', '好的', "that's it"];

test.each(['ok', 'OK!', '…ok, ok – thank   you.', 'okok', '好的好', '好好的。', "That's it", 'thank\nyou'])(
  '%j says nothing else',
  (text) => expect(onlySays(text, phrases)).toBe(true),
);

test.each(['', '  ', '?!', 'okay', 'ok then', 'thankyou', 'o k', 'ok 好吗'])('%j does not', (text) =>
  expect(onlySays(text, phrases)).toBe(false),
);

test('phrases that begin alike take no longer', () => {
  const many = ['a', 'aa', 'aaa', 'a a', '', ' '];
  expect(onlySays('a'.repeat(10_000), many)).toBe(true);
  expect(onlySays(`${'a'.repeat(10_000)}b`, many)).toBe(false);
});
