import { contextBudget } from '@ctx/core';
import { canAddTokens, recommendFileReadingStrategy } from '@ctx/file-reading';
import fc from 'fast-check';

/** 100000 tokens are available. */
const budget = (usedTokens: number) =>
  contextBudget({ contextWindow: 128_000, reservedTokens: 8000, systemTokens: 20_000, usedTokens });
const full = contextBudget({ contextWindow: 8192, reservedTokens: 8192, systemTokens: 500, usedTokens: 0 });
const files = (...tokens: number[]) =>
  tokens.map((estimatedTokens, index) => ({ path: String.fromCharCode(97 + index), estimatedTokens }));

test('what fits may be added, one token more may not', () => {
  expect(canAddTokens(budget(90_000), 10_000)).toEqual({ allowed: true });
  expect(canAddTokens(budget(90_000), 10_001)).toEqual({
    allowed: false,
    reason: 'Not enough context space. Need 10001 tokens, but only 10000 remaining (90.0% used)',
  });
  expect(canAddTokens(budget(120_000), 1)).toMatchObject({
    allowed: false,
    reason: 'Not enough context space. Need 1 tokens, but only 0 remaining (120.0% used)',
  });
});

test('a warning when 75 % is crossed, and only then', () => {
  expect(canAddTokens(budget(70_000), 5000)).toEqual({ allowed: true });
  expect(canAddTokens(budget(70_000), 5001)).toEqual({
    allowed: true,
    warning:
      'Warning: Adding 5001 tokens will increase usage from 70.0% to 75.0%. Context condensing may be triggered soon.',
  });
  expect(canAddTokens(budget(75_000), 10_000)).toMatchObject({
    warning: expect.stringContaining('from 75.0% to 85.0%'),
  });
  expect(canAddTokens(budget(75_001), 10_000)).toEqual({ allowed: true });
});

test('if nothing is available, only nothing may be added', () => {
  expect(canAddTokens(full, 0)).toEqual({ allowed: true });
  expect(canAddTokens(full, 1)).toEqual({
    allowed: false,
    reason: 'Not enough context space. Need 1 tokens, but only 0 remaining (100.0% used)',
  });
});

test.each([
  [29_999, 'allow_all'],
  [30_000, 'allow_partial'],
  [59_999, 'allow_partial'],
  [60_000, 'use_line_range'],
  [99_999, 'use_line_range'],
  [100_000, 'reject_all'],
  [500_000, 'reject_all'],
])('%d tokens of 100000 that remain: %s', (tokens, strategy) => {
  expect(recommendFileReadingStrategy(budget(0), files(tokens)).strategy).toBe(strategy);
});

test('the messages', () => {
  const messageOf = (...tokens: number[]) =>
    recommendFileReadingStrategy(budget(0), files(...tokens)).message;
  expect(messageOf(10_000, 10_000)).toBe(
    'All 2 files can be read (20000 tokens, 20.0% of remaining context)',
  );
  expect(messageOf(20_000, 20_000)).toBe(
    'Warning: Reading all 2 files will use 40000 tokens (40.0% of remaining context). Consider reading fewer files.',
  );
  expect(messageOf(20_000, 20_000, 20_000, 20_000)).toBe(
    'Cannot read all 4 files (80000 tokens exceeds safe limit). Suggestions:\n1. Read only 2 files at a time\n2. Use line_range to read specific sections\n3. Use search_files to find specific content',
  );
  expect(recommendFileReadingStrategy(budget(40_000), files(60_000, 1)).message).toBe(
    'Cannot read files: 60001 tokens exceeds available context (60000 tokens remaining). Current usage: 40.0%. Please:\n1. Condense context first\n2. Use search_files instead\n3. Read smaller sections with line_range',
  );
});

test('the files that fit into half are picked by their own size, not by the average', () => {
  const { strategy, allowedFiles, message } = recommendFileReadingStrategy(
    budget(0),
    files(60_000, 10_000, 10_000, 5000),
  );
  expect(strategy).toBe('use_line_range');
  expect(allowedFiles).toEqual(['b', 'c', 'd']);
  expect(message).toContain('1. Read only 3 files at a time\n');
});

test('a single file that is too large is not offered as zero files', () => {
  const { allowedFiles, message } = recommendFileReadingStrategy(budget(0), files(70_000));
  expect(allowedFiles).toEqual([]);
  expect(message).toBe(
    'Cannot read all 1 files (70000 tokens exceeds safe limit). Suggestions:\n1. Use line_range to read specific sections\n2. Use search_files to find specific content',
  );
});

test('no files, and empty ones, are always allowed', () => {
  const message = 'All 0 files can be read (0 tokens, 0.0% of remaining context)';
  const nothing = { strategy: 'allow_all', allowedFiles: [], message };
  expect(recommendFileReadingStrategy(budget(0), [])).toEqual(nothing);
  expect(recommendFileReadingStrategy(full, [])).toEqual(nothing);
  expect(recommendFileReadingStrategy(full, files(0, 0)).allowedFiles).toEqual(['a', 'b']);
  expect(recommendFileReadingStrategy(full, files(1)).strategy).toBe('reject_all');
});

test('any number has an answer, and what is allowed always fits', () => {
  const tokens = fc.oneof(fc.double(), fc.integer(), fc.integer({ min: 0, max: 50_000 }));
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 200_000 }), fc.array(tokens), (used, given) => {
      const left = budget(used);
      expect(left.remainingTokens).toBeGreaterThanOrEqual(0);
      const recommendation = recommendFileReadingStrategy(
        left,
        given.map((estimatedTokens, index) => ({ path: String(index), estimatedTokens })),
      );
      const total = recommendation.allowedFiles.reduce(
        (sum, path) => sum + Math.max(0, given[Number(path)] as number),
        0,
      );
      expect(total).toBeLessThanOrEqual(0.6 * left.remainingTokens);
      for (const one of given) {
        expect(canAddTokens(left, one).allowed).toBe(Math.max(0, one) <= left.remainingTokens);
      }
    }),
  );
});
