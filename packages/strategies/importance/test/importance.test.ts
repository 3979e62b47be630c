import type { Message } from '@ctx/core';
import {
  arbitraryTranscript,
  assistant,
  call,
  deepFreeze,
  managerOf,
  result,
  testStrategy,
  transcript,
  user,
  words,
} from '@ctx/testing';
import fc from 'fast-check';
import { bandOf, importance, messagesToKeep, selectMessagesToKeep } from '../src/index.js';

testStrategy('importance', () => importance());

async function left(messages: readonly Message[], targetTokens: number, options = {}) {
  const manager = managerOf(deepFreeze(messages));
  const { record } = await manager.compress({ strategy: importance(options), targetTokens });
  return { view: manager.view(), notes: record?.stages[0]?.notes };
}

describe('the strategy', () => {
  const texts = ['Always use tabs.', 'Never touch src/legacy.ts!', 'Write the tests first, please.'];
  const instructions = texts.map((text) => user(text));
  const work = (from: number) =>
    Array.from({ length: 20 }, (_, index) => {
      const id = `${from + index}`;
      return transcript(call(id, 'read', { path: `${id}.ts` }), result(id, words(40, `w${id}`)));
    }).flat();
  const messages = [
    user('Build a parser.'),
    ...work(0),
    instructions[0],
    ...work(20),
    instructions[1],
    ...work(40),
    instructions[2],
    ...work(60),
    user('go on'),
  ] as Message[];

  test('keeps the user’s instructions before everything else', async () => {
    const { view, notes } = await left(messages, 300);
    for (const instruction of [messages[0], ...instructions]) expect(view).toContain(instruction);
    expect(notes).toEqual({ instructions: 5, instructionsKept: 5 });
  });

  test('keeps the newest exchanges next, up to their share', async () => {
    const { view } = await left(messages, 400, { keepRecent: 0.5 });
    const newest = messages.slice(-9, -1);
    for (const message of newest) expect(view).toContain(message);
  });

  test('gives the newest exchanges no more than their share if others are worth more', async () => {
    const late = [assistant(words(20, 'late')), assistant(words(20, 'later'))];
    const answers = Array.from({ length: 6 }, (_, at) =>
      assistant(`You must use port ${at} of the database.`),
    );
    const talk = [...answers, ...late, user('go on')];
    const keptOfThem = async (keepRecent: number) => {
      const { view } = await left(talk, 50, { keepRecent });
      return late.filter((message) => view.includes(message));
    };
    expect(await keptOfThem(0)).toEqual([]);
    expect(await keptOfThem(0.3)).toEqual([]);
    expect(await keptOfThem(0.5)).toEqual([late[1]]);
    expect(await keptOfThem(0.9)).toEqual(late);
  });

  test('reports how many instructions had no room', async () => {
    const rules = [
      user(`Always ${words(200)}`),
      user('Always use tabs.'),
      assistant(words(50)),
      user('go on'),
    ];
    expect((await left(rules, 60)).notes).toEqual({ instructions: 3, instructionsKept: 2 });
  });

  test('then keeps the exchanges that are worth most per token, in the order of the conversation', async () => {
    const talk = [
      ...Array.from({ length: 5 }, (_, index) => assistant(words(100, `long${index}`))),
      ...Array.from({ length: 5 }, (_, index) => assistant(`You must use port ${index} of the database.`)),
      ...Array.from({ length: 5 }, (_, index) => assistant(words(100, `late${index}`))),
      user('go on'),
    ];
    const { view } = await left(talk, 60, { keepRecent: 0 });
    expect(view).toEqual([...talk.slice(5, 10), talk.at(-1)]);
  });

  test('keeps the short instructions if not all fit, because that keeps more of them', async () => {
    const many = [
      user(`Always ${words(200)}`),
      ...Array.from({ length: 8 }, (_, index) => user(`Use rule ${index}.`)),
      assistant(words(50)),
      user('go'),
    ];
    const { view } = await left(many, 60);
    expect(view).not.toContain(many[0]);
    expect(view.filter(({ role }) => role === 'user')).toHaveLength(9);
  });

  test('treats instructions like everything else, if asked to', async () => {
    const { notes } = await left(messages, 300, { preserveUserInstructions: false });
    expect(notes).toEqual({ instructions: 0, instructionsKept: 0 });
  });

  test('keeps at least the smallest number of messages', async () => {
    const answer = assistant(words(50));
    const { view } = await left([answer, answer, answer, user('go')], 1, { minKeepCount: 3 });
    expect(view).toHaveLength(3);
  });

  test('rejects invalid options', () => {
    expect(() => importance({ threshold: 101 })).toThrow(/threshold/);
    expect(() => importance({ keywords: { commands: ['x'] } } as never)).toThrow(/commands/);
  });
});

describe('selecting a number of messages', () => {
  const counted = (messages: readonly Message[]) => messages.map((message) => ({ message, tokens: 10 }));

  test('keeps the last message, then the highest scores, then the newest, in their order', () => {
    const messages = [
      ...Array.from({ length: 10 }, () => assistant('so it is')),
      user('You must use Redis.'),
      ...Array.from({ length: 10 }, () => assistant('so it is')),
    ];
    expect(selectMessagesToKeep(counted(messages), { count: 3 })).toEqual([0, 10, 20]);
    expect(selectMessagesToKeep(counted(messages), { count: 5 })).toEqual([0, 10, 18, 19, 20]);
  });

  test('finds an instruction however old it is', () => {
    const answers = Array.from({ length: 90 }, () => assistant('so it is'));
    const messages = [assistant('hi'), user('You must always use tabs.'), ...answers];
    expect(selectMessagesToKeep(counted(messages), { count: 2 })).toEqual([1, 91]);
  });

  test('keeps a call together with its results', () => {
    const messages = transcript(user('go'), call('1', 'read', {}), result('1', 'A'));
    expect(selectMessagesToKeep(counted(messages), { count: 1 })).toEqual([1, 2]);
  });

  test('for any conversation gives positions in order, once each, with the last one, and splits no pair', () => {
    fc.assert(
      fc.property(arbitraryTranscript, fc.integer({ min: 1, max: 6 }), (messages, count) => {
        const kept = selectMessagesToKeep(counted(messages), { count });
        expect(kept).toEqual([...new Set(kept)].sort((a, b) => a - b));
        expect(kept).toContain(messages.length - 1);
        for (const position of kept) {
          if (messages[position]?.role === 'tool') expect(kept).toContain(position - 1);
          if (messages[position + 1]?.role === 'tool') expect(kept).toContain(position + 1);
        }
      }),
    );
  });
});

test.each([
  [100, 'must-keep'],
  [90, 'must-keep'],
  [89, 'prefer'],
  [70, 'prefer'],
  [69, 'compressible'],
  [40, 'compressible'],
  [39, 'deletable'],
  [0, 'deletable'],
])('a score of %d is %s', (score, band) => {
  expect(bandOf(score)).toBe(band);
});

test.each([
  [30, 40, 5],
  [30, 60, 3],
  [30, 85, 3],
  [30, 85.1, 2],
  [51, 40, 2],
  [8, 95, 4],
])('of %i messages in a window that is full to %d %%, %i are kept', (total, usagePercent, count) => {
  expect(messagesToKeep(total, usagePercent)).toBe(count);
});
