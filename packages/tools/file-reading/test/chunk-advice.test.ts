import { chunkAdvice } from '@ctx/file-reading';
import { chunkLines } from '../src/size-check.js';

test('the advice for a file with many lines', () => {
  expect(chunkAdvice({ estimatedTokens: 125_000, lines: 5000 }, 50_000)).toBe(
    'File has too many tokens: ~125000 (max 50000).\n\nSuggestions:\n1. Read specific sections using line_range:\n   - First 2000 lines: <line_range>1-2000</line_range>\n   - Middle section: <line_range>2001-4000</line_range>\n\n2. Or search for specific content using search_files tool instead\n\nTotal lines in file: 5000',
  );
});

test('the advice for a file whose one line is too long: slices of characters, and no range of no lines', () => {
  const advice = chunkAdvice({ estimatedTokens: 3_145_728, lines: 1 }, 50_000);
  expect(advice).toBe(`File has too many tokens: ~3145728 (max 50000).

Suggestions:
1. Its lines are too long for line_range. Read slices of at most 150000 characters instead:
   - First slice: characters 1-150000
   - Second slice: characters 150001-300000

2. Or search for specific content using search_files tool instead

Total lines in file: 1`);
});

test('the advice for a file whose lines nobody counted', () => {
  expect(chunkAdvice({ estimatedTokens: 60_000 }, 50_000)).toBe(`File has too many tokens: ~60000 (max 50000).

Suggestions:
1. Read specific sections using line_range

2. Or search for specific content using search_files tool instead`);
});

test.each([
  [{ estimatedTokens: 100_000, lines: 3 }, 50_000, 1],
  [{ estimatedTokens: 150_001, lines: 3 }, 50_000, 0],
  [{ estimatedTokens: 100, lines: 7 }, 50_000, 7],
  [{ estimatedTokens: 0, lines: 0 }, 50_000, 0],
  [{ estimatedTokens: 0, lines: 1 }, 0, 1],
  [{ estimatedTokens: 100 }, 50_000, undefined],
])('%o with at most %d tokens: chunks of %p lines', (file, maxTokens, chunk) => {
  expect(chunkLines(file, maxTokens)).toBe(chunk);
});
