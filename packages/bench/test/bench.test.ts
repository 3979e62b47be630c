import type { Message } from '@ctx/core';
import { assistant, call, result, system, transcript, user, wordCounter, words } from '@ctx/testing';
import { atomsOf, averageOf, contextOf, cutsOf, occursIn, recallOf } from '../src/index.js';

const tokensOf = (message: Message) => wordCounter.count(JSON.stringify(message));

describe('the atoms of a text', () => {
  test.each<[string, string, string[]]>([
    ['paths', 'see src/app.ts and /usr/share/x.', ['src/app.ts', '/usr/share/x']],
    ['addresses', 'mail me@site.org or https://x.dev/a?b=1.', ['me@site.org', 'https://x.dev/a?b=1']],
    ['identifiers', 'call parseTokens, max_size and MAX_RETRIES', ['parseTokens', 'max_size', 'MAX_RETRIES']],
    ['dotted and hyphenated names', 'app.module and order-2231', ['app.module', 'order-2231']],
    ['numbers and ids', 'order 48213 by a1b2c3d4', ['48213', 'a1b2c3d4']],
    ['quoted phrases', 'he said "too late now"', ['too late now']],
  ])('%s', (_what, text, atoms) => {
    for (const atom of atoms) expect([...atomsOf(text)]).toContain(atom);
  });

  test('ordinary words and short numbers are none', () => {
    expect([...atomsOf('We went there with 12 of them, and so on.')]).toEqual([]);
  });

  test('a line of ten megabytes is no trouble', () => {
    expect(atomsOf('ab/cd '.repeat(2_000_000)).size).toBe(1);
  });
});

test('an atom stands in a text only as a word of its own', () => {
  expect(occursIn('a.ts', 'see a.ts!')).toBe(true);
  expect(occursIn('a.ts', 'see data.ts')).toBe(false);
  expect(occursIn('4821', '48213')).toBe(false);
});

test('the context of an atom is 24 characters of its line on either side', () => {
  const text = 'before\nthe quick brown fox jumps over parseTokens and then over the lazy dog\nafter';
  expect(contextOf(text, text.indexOf('parseTokens'), 'parseTokens')).toBe(
    'ck brown fox jumps over parseTokens and then over the lazy ',
  );
  expect(contextOf('x parseTokens', 2, 'parseTokens')).toBe('x parseTokens');
});

/** Only `src/parser.ts` is needed from before the cut: `src/new.ts` is said after it, `lib/base.ts` in the system prompt. */
const session = transcript(
  system('Use lib/base.ts.'),
  user('Look at src/parser.ts first, please, and keep it small.'),
  assistant(words(3000)),
  user('Now go on.'),
  assistant(words(10)),
  user('There is src/new.ts too.'),
  call('1', 'edit', { path: 'src/parser.ts', base: 'lib/base.ts' }),
  result('1', 'done'),
  assistant('Changed src/new.ts and src/parser.ts.'),
);

describe('a cut', () => {
  const [cut] = cutsOf(session, { tokensOf, shares: [0.45] });

  test('needs what the agent uses next and knows only from before', () => {
    expect(cut).toMatchObject({ position: 4, needed: [{ atom: 'src/parser.ts', usedAt: 6, heldAt: [1] }] });
  });

  test('is left out where its prefix is small, or nothing of it was needed', () => {
    expect(cutsOf(session, { tokensOf, shares: [0.45], minPrefixTokens: 100_000 })).toEqual([]);
    expect(cutsOf(session, { tokensOf, shares: [0.45], common: new Set(['src/parser.ts']) })).toEqual([]);
  });

  const measured = (compressed: readonly Message[], budget = 1_000_000) =>
    recallOf(cut as NonNullable<typeof cut>, compressed, { budget, tokensOf });

  test('scores 100 where nothing was compressed', () => {
    expect(measured(session.slice(0, 4))).toMatchObject({
      frr: 100,
      ctx: 100,
      usableCtx: 100,
      far: 100,
      instructions: 100,
      inBudget: true,
      validAnthropic: true,
    });
  });

  test('scores 0 where all of it is gone', () => {
    expect(measured([session[0] as Message, session[3] as Message])).toMatchObject({
      frr: 0,
      ctx: 0,
      far: 0,
      instructions: 50,
    });
  });

  test('a bare list of names scores on recall, and not in context', () => {
    expect(measured([user('src/parser.ts')])).toMatchObject({ frr: 100, ctx: 0, usableCtx: 0 });
  });

  test('what is over the budget or not valid is of no use', () => {
    expect(measured(session.slice(0, 4), 10)).toMatchObject({ ctx: 100, usableCtx: 0, inBudget: false });
    const broken = [...session.slice(0, 4), result('9', 'nobody asked')];
    expect(measured(broken)).toMatchObject({ ctx: 100, usableCtx: 0, validAnthropic: false });
  });
});

test('every source counts the same, however many cuts it has', () => {
  const samples = [
    ...Array.from({ length: 9 }, (_, index) => ({ source: 'a', session: `${index}`, value: 100 })),
    { source: 'b', session: 'x', value: 0 },
    { source: 'b', session: 'x', value: 50 },
  ];
  expect(averageOf(samples)).toMatchObject({ mean: 62.5, error: 0, count: 11 });
  expect(averageOf([])).toBeUndefined();
  const spread = [0, 100].map((value) => ({ source: 'a', session: `${value}`, value }));
  expect(averageOf(spread)?.error).toBeGreaterThan(20);
});
