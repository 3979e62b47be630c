import type { Message } from '@ctx/core';
import { assistant, call, result, system, user, words } from '@ctx/testing';
import {
  type BenchSession,
  budgetShares,
  commonAtoms,
  cutsOf,
  measureCuts,
  noCompression,
} from '../src/index.js';
import { cutBefore, neededOf, countWords as tokensOf } from './small-cut.js';

describe('a session is cut', () => {
  const turns = (count: number, length: number): Message[] =>
    Array.from({ length: count }, () => [
      user(`${words(length)} see src/parser.ts`),
      assistant(`${words(length)} src/parser.ts`),
    ]).flat();
  const positionsOf = (messages: readonly Message[], options = {}) =>
    cutsOf(messages, { tokensOf, ...options }).map(({ position }) => position);

  test('at 35, 50, 65 and 80 % of its messages, before a message of the assistant', () => {
    // Every odd message is the assistant's: 14, 20, 26 and 32 of 40 are the user's.
    expect(positionsOf([user('in src/parser.ts'), ...turns(20, 300).slice(1)])).toEqual([15, 21, 27, 33]);
  });

  test('once if two of these shares lead to the same message', () => {
    expect(positionsOf(turns(2, 3_000), { shares: [0.3, 0.4, 0.5, 0.6] })).toEqual([1, 3]);
  });

  test('only if its prefix has 3,000 tokens, not counting the system prompt', () => {
    const uses = assistant('x.parser');
    const session = (length: number) => [system(words(9_000)), user(`${words(length)} x.parser`), uses];
    expect(positionsOf(session(2_999))).toEqual([2]);
    expect(positionsOf(session(2_998))).toEqual([]);
  });

  test('never between a call and its result', () => {
    const open = [user('src/parser.ts'), call('1', 'read'), assistant('src/parser.ts'), result('1', 'late')];
    expect(positionsOf(open, { shares: [0.5], minPrefixTokens: 0 })).toEqual([]);
  });

  test('not if nothing of the prefix is used again', () => {
    const session = [user('src/parser.ts'), assistant('ok'), user('lib/new.ts'), assistant('done')];
    expect(positionsOf(session, { minPrefixTokens: 0 })).toEqual([]);
  });

  test('and its system prompt is counted separately', () => {
    const [cut] = cutsOf([system(words(100)), user(`${words(49)} src/a.ts`), assistant('src/a.ts')], {
      tokensOf,
      minPrefixTokens: 0,
    });
    expect(cut).toMatchObject({ position: 2, systemTokens: 100, prefixTokens: 50 });
  });

  test('and compressed to 50, 25 and 12.5 % of the prefix, with extra room for the system prompt', async () => {
    const session: BenchSession = {
      id: 'a',
      source: 'a',
      model: {},
      messages: [system(words(1_000)), user(`${words(3_999)} src/a.ts`), assistant('src/a.ts')],
    };
    const results = await measureCuts(session, [noCompression], { tokensOf, common: new Set() });
    expect(budgetShares).toEqual([0.5, 0.25, 0.125]);
    const budgets = results.map(({ share, budget }) => [share, budget]);
    expect(budgets).toEqual([
      [0.5, 3_000],
      [0.25, 2_000],
      [0.125, 1_500],
    ]);
  });
});

describe('needed is', () => {
  test('an atom that the agent uses next and knows only from before', () => {
    const cut = cutBefore(
      [user('Look at src/parser.ts first.'), assistant('I looked at it.'), user('Again src/parser.ts?')],
      [call('1', 'edit', { path: 'src/parser.ts' }), result('1', 'done')],
    );
    expect(cut.needed).toEqual([
      {
        atom: 'src/parser.ts',
        usedAt: 3,
        heldAt: [0, 2],
        contexts: ['Look at src/parser.ts first.', 'Again src/parser.ts?'],
        passages: ['Look at src/parser.ts first.', 'Again src/parser.ts?'].map((text) => ({
          text,
          isCutBefore: false,
          isCutAfter: false,
        })),
      },
    ]);
  });

  const known = user('There are src/parser.ts and other_name.');
  const uses = assistant('It is src/parser.ts with other_name.');

  const general = 'console.log and other_name in package.json';
  const thinks = assistant([
    { type: 'reasoning', text: 'Is it src/parser.ts?' },
    { type: 'text', text: 'It is other_name.' },
  ]);

  test.each<[string, Message[], Message[]]>([
    ['is in the system prompt', [system('Use src/parser.ts.'), known], [uses]],
    ['the user says again before it is used', [known], [assistant('ok'), user('Take src/parser.ts.'), uses]],
    ['a result says again', [known], [call('1', 'list'), result('1', 'src/parser.ts\nlib'), uses]],
    [
      'only the user or a result says later',
      [known],
      [call('1', 'grep', { query: 'other_name' }), result('1', 'src/parser.ts'), user('src/parser.ts')],
    ],
    ['the agent only thinks', [known], [thinks]],
    ['was never said before', [known], [assistant('lib/new.ts and other_name')]],
    ['is part of a longer name', [user('src/parser.tsx, other_name')], [uses]],
    [
      'is the name of a tool or of its arguments, wherever they are called',
      [user('Use read_all with file_name: other_name.')],
      [
        assistant('I use read_all by file_name for other_name.'),
        call('1', 'read_all', { file_name: 1 }),
        result('1', 'ok'),
      ],
    ],
    ['is general', [user(general)], [assistant(general)]],
    [
      'is not among the arguments of a call, however deep, or its result',
      [known],
      [call('1', 'edit', { edits: [{ old: { text: 'other_name' } }] }), result('1', 'ok')],
    ],
  ])('nothing that %s', (_what, before, next) => {
    expect(neededOf(cutBefore(before, next))).toEqual(['other_name']);
  });

  test('an atom that was used before it was said again', () => {
    expect(neededOf(cutBefore([known], [uses, user('Yes, src/parser.ts.'), uses])).sort()).toEqual([
      'other_name',
      'src/parser.ts',
    ]);
  });

  test('nothing that is used later than in the next 40 messages', () => {
    const session = (gap: number) => [
      known,
      assistant('It is other_name.'),
      ...Array.from({ length: gap }, () => user('go on')),
      assistant('src/parser.ts'),
    ];
    const needed = (gap: number) =>
      cutsOf(session(gap), { tokensOf, minPrefixTokens: 0, shares: [0] }).flatMap(neededOf);
    expect(needed(38)).toEqual(['other_name', 'src/parser.ts']);
    expect(needed(39)).toEqual(['other_name']);
  });

  test('nothing common', () => {
    const session = [known, uses];
    const options = { tokensOf, minPrefixTokens: 0, shares: [0.5] };
    const [cut] = cutsOf(session, { ...options, common: new Set(['src/parser.ts']) });
    expect(cut?.needed.map(({ atom }) => atom)).toEqual(['other_name']);
    expect(cutsOf(session, { ...options, common: new Set(['src/parser.ts', 'other_name']) })).toEqual([]);
  });
});

describe('common atoms', () => {
  const about = (id: string, source: string, ...names: string[]): BenchSession => ({
    id,
    source,
    model: {},
    messages: [user(names.join(' '))],
  });
  /** Sessions that share only the given texts. */
  const unrelated = (count: number, shared: (index: number) => string[]) =>
    Array.from({ length: count }, (_, index) =>
      about(`${index}`, 'a', ...shared(index), ...[...'abcd'].map((one) => `own_${index}_${one}`)),
    );

  test('are those of a quarter of the unrelated sessions of a source', () => {
    const sessions = unrelated(8, (index) => [
      ...(index < 2 ? ['often_said'] : []),
      ...(index < 1 ? ['once_said'] : []),
    ]);
    expect([...commonAtoms(sessions)]).toEqual(['often_said']);
  });

  test('are not those of sessions about the same task, which count as one', () => {
    const related = Array.from({ length: 8 }, (_, index) =>
      about(`r${index}`, 'a', 'task_name', 'task_file', 'task_id', `own_${index}`),
    );
    expect([...commonAtoms(related)]).toEqual([]);
    expect([...commonAtoms([...related, ...unrelated(8, () => [])])]).toEqual([]);
  });

  test('are none if a source has fewer than six unrelated sessions', () => {
    expect([...commonAtoms(unrelated(5, () => ['often_said']))]).toEqual([]);
    expect([...commonAtoms(unrelated(6, () => ['often_said']))]).toEqual(['often_said']);
  });

  test('are those of two sources', () => {
    const sessions = [about('1', 'a', 'in_both', 'only_a'), about('2', 'b', 'in_both', 'only_b')];
    expect([...commonAtoms(sessions)]).toEqual(['in_both']);
  });
});
