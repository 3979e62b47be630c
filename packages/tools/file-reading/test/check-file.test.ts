import { checkBatch, checkFileSize } from '@ctx/file-reading';
import fc from 'fast-check';
import { defaultFileReadingLimits, type FileReadingLimits, limitsFor } from '../src/limits.js';
import { sized } from './memory-file-system.js';

const megabyte = 1_048_576;
const manyTokens = limitsFor(undefined, {
  singleFileMaxTokens: 10_000_000,
  warningThresholdTokens: 10_000_000,
});

const large = {
  status: 'approved',
  notice: 'Large file: ~50000 tokens. This will consume significant context.',
};
const manyTokensError =
  'File has too many tokens: ~50001 (max 50000). Please use line_range to read specific sections.';

test.each<[number, FileReadingLimits | undefined, object]>([
  [120_000, undefined, { status: 'approved' }],
  [120_001, undefined, { ...large, notice: large.notice.replace('50000', '30001') }],
  [200_000, undefined, large],
  [200_001, undefined, { status: 'blocked', reason: 'file-tokens', error: manyTokensError }],
  [10 * megabyte, manyTokens, { status: 'approved' }],
  [
    10 * megabyte + 1,
    manyTokens,
    {
      status: 'blocked',
      reason: 'file-size',
      error: 'File too large: 10.00MB (max 10MB). Please use line_range to read specific sections.',
    },
  ],
])('a file of %d bytes, where exactly at a limit passes', (bytes, limits, expected) => {
  const { detail: _, ...check } = { detail: '', ...checkFileSize(sized('a', bytes), limits) };
  expect(check).toEqual(expected);
});

test('if the limits are not strict, the refusal is a notice', () => {
  const limits = limitsFor(undefined, { enableStrictMode: false });
  expect(checkFileSize(sized('a', 200_001), limits)).toEqual({
    status: 'approved',
    notice: manyTokensError,
  });
  expect(checkBatch([sized('a', 200_000), sized('b', 300_000)], limits)).toEqual({
    status: 'approved',
    notice: 'Batch read has too many tokens: ~125000 total (max 100000). Please reduce the number of files.',
  });
});

test('the detail of a file that is too large', () => {
  expect(checkFileSize(sized('src/a<b>.sql', 12 * megabyte, 100_000))).toMatchObject({
    detail: `File too large: 12.00MB (max 10MB)

This file exceeds the maximum allowed size for reading. To read this file:

1. Use line_range to read specific sections:
   <read_file>
     <args>
       <file>
         <path>src/a&lt;b&gt;.sql</path>
         <line_range>1-500</line_range>
       </file>
     </args>
   </read_file>

2. Or use search_files to find specific content

File info:
- Total lines: 100000
- Estimated tokens: ~3145728
- Suggested chunk size: 1589 lines per read`,
  });
});

test('the detail leaves out unknown facts, and offers no lines if a single one is too long', () => {
  const check = (lines?: number) => checkFileSize(sized('a', 12 * megabyte, lines)) as { detail: string };
  expect(check().detail).toMatch(/File info:\n- Estimated tokens: ~3145728$/);
  expect(check().detail).toContain('<line_range>1-500</line_range>');
  expect(check(1).detail).not.toContain('line_range>');
  expect(check(1).detail).toContain('- First slice: characters 1-150000');
  expect(check(1).detail).toContain('- Total lines: 1\n');
  expect(check(1).detail).not.toContain('Suggested chunk size');
});

test('files that are within their own limits, and over them together', () => {
  const files = [sized('a', 200_000), sized('b', 200_000), sized('c', 40_000)];
  expect(files.map((file) => checkFileSize(file).status)).toEqual(['approved', 'approved', 'approved']);
  expect(checkBatch(files, undefined, { usagePercent: 42 })).toEqual({
    status: 'blocked',
    reason: 'batch-tokens',
    error: 'Batch read has too many tokens: ~110000 total (max 100000). Please reduce the number of files.',
    detail: `Batch read exceeds context limits

Total: 110000 tokens from 3 files
Limit: 100000 tokens
Current context usage: 42.0%

Suggestions:
1. Read fewer files at a time (max 2 files)
2. Use line_range for large files
3. Use search_files to find specific content first

Alternative: Read files one by one with the most critical files first.`,
  });
});

test('exactly at the limits of several files passes, one more does not', () => {
  const contextWindow = 200_000;
  const two = (bytes: number) => [sized('a', 200_000), sized('b', bytes)];
  expect(checkBatch(two(200_000), undefined, { contextWindow })).toEqual({
    status: 'approved',
    notice: 'Warning: Batch read will consume ~100000 tokens (0.38MB). This is 50.0% of your context window.',
  });
  expect(checkBatch(two(200_001))).toMatchObject({ status: 'blocked', reason: 'batch-tokens' });

  const limits = limitsFor(undefined, {
    batchTotalMaxTokens: 100_000_000,
    warningThresholdTokens: 100_000_000,
  });
  const twenty = [sized('a', 10 * megabyte), sized('b', 10 * megabyte)];
  expect(checkBatch(twenty, limits)).toEqual({ status: 'approved' });
  expect(checkBatch([...twenty, sized('c', megabyte)], limits)).toMatchObject({
    reason: 'batch-size',
    error:
      'Batch read too large: 21.00MB total (max 20MB). Please reduce the number of files or use line_range.',
    detail: expect.stringContaining('Total: 21.00MB from 3 files\nLimit: 20MB\n\nSuggestions'),
  });
});

test('the notice for several files comes above twice the threshold, with a share only of a known window', () => {
  const two = (bytes: number) => [sized('a', 120_000), sized('b', bytes)];
  expect(checkBatch(two(120_000), undefined, { contextWindow: 128_000 })).toEqual({ status: 'approved' });
  expect(checkBatch(two(120_001), undefined, { contextWindow: 128_000 })).toEqual({
    status: 'approved',
    notice: 'Warning: Batch read will consume ~60001 tokens (0.23MB). This is 46.9% of your context window.',
  });
  expect(checkBatch(two(120_001))).toEqual({
    status: 'approved',
    notice: 'Warning: Batch read will consume ~60001 tokens (0.23MB).',
  });
});

test('one file alone, or none, is no batch', () => {
  expect(checkBatch([])).toEqual({ status: 'approved' });
  expect(checkBatch([sized('a', 1e9)])).toEqual({ status: 'approved' });
});

test('any number has an answer, and NaN is over the limit', () => {
  const number = fc.oneof(fc.double(), fc.integer());
  fc.assert(
    fc.property(number, number, fc.option(number, { nil: undefined }), (sizeInMB, estimatedTokens, lines) => {
      const file = { path: 'a', sizeInMB, estimatedTokens, lines };
      const { singleFileMaxMB, singleFileMaxTokens } = defaultFileReadingLimits;
      const fits = sizeInMB <= singleFileMaxMB && estimatedTokens <= singleFileMaxTokens;
      expect(checkFileSize(file).status).toBe(fits ? 'approved' : 'blocked');
      expect(['approved', 'blocked']).toContain(checkBatch([file, file]).status);
    }),
  );
  expect(checkFileSize({ path: 'a', sizeInMB: Number.NaN, estimatedTokens: 1 }).status).toBe('blocked');
});
