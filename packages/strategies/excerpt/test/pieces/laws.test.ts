import { codePoint } from '@ctx/testing';
import fc from 'fast-check';
import type { Piece } from '../../src/pieces/piece-writer.js';
import { workOf } from '../counted-work.js';
import { piecesOf } from './pieces-of.js';

const fragments = fc.constantFrom(
  ...[
    '{',
    '}',
    '[',
    ']',
    '"a": ',
    '"text"',
    ',',
    '\n',
    '\r\n',
    '\r',
    ' ',
    '    ',
    '\t',
    '1',
    'null',
    "'b'",
    '\\',
    '\\n',
  ],
  ...[
    'diff --git a/x b/x\n',
    '--- a/x\n+++ b/x\n',
    '@@ -1,2 +1,2 @@\n',
    '+new',
    '-old',
    '|a|b|\n|--|--|\n',
    '|',
  ],
  ...[
    '    at f (a.js:1:2)\n',
    'Error: no\n',
    'Traceback (most recent call last):\n',
    '  File "a.py", line 1\n',
  ],
  ...[
    'a,b,c\n',
    'NAME   AGE   SIZE\n',
    '---- ----\n',
    '✓ passes',
    '3 failed',
    '=====',
    '█████',
    '😀',
    '。',
    'x'.repeat(300),
  ],
  ...['A sentence of some words. ', 'Y2F0'.repeat(60), '中文'.repeat(100), '\u{20000}', '\ud800', '\u00a0'],
);
const anyText = fc.oneof(
  fc.string({ unit: codePoint, maxLength: 600 }),
  fc
    .array(fc.oneof(fragments, fc.string({ unit: 'grapheme', maxLength: 8 })), { maxLength: 60 })
    .map((parts) => parts.join('')),
  fc.json({ maxDepth: 5 }),
  fc.jsonValue({ maxDepth: 5 }).map((value) => JSON.stringify(value, undefined, 2) ?? ''),
  fc.tuple(fc.json(), fc.nat()).map(([text, cut]) => text.slice(0, cut % (text.length + 1))),
);

const splitsPair = (text: string, at: number) =>
  /[\ud800-\udbff]/.test(text.charAt(at - 1)) && /[\udc00-\udfff]/.test(text.charAt(at));

function uncovered(text: string, pieces: readonly Piece[]): string {
  let at = 0;
  let rest = '';
  for (const { start, end } of pieces) {
    rest += text.slice(at, start);
    at = end;
  }
  return rest + text.slice(at);
}

test('pieces are in order, inside the text, neither empty nor long, do not overlap and split no surrogate pair', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      let last = 0;
      for (const { start, end } of piecesOf(text)) {
        expect(start).toBeGreaterThanOrEqual(last);
        expect(end).toBeGreaterThan(start);
        expect(end - start).toBeLessThanOrEqual(600);
        expect(end).toBeLessThanOrEqual(text.length);
        expect(splitsPair(text, start) || splitsPair(text, end)).toBe(false);
        last = end;
      }
    }),
    { numRuns: 334 },
  );
});

test('every character except white space and brackets, commas and keys of JSON is in a piece', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const pieces = piecesOf(text);
      const rest = uncovered(text, pieces).trim();
      const mayBeJson = pieces.some(
        ({ kind }) => kind === 'json' || (kind === 'window' && /[[{]/.test(text)),
      );
      if (!mayBeJson) expect(rest).toBe('');
      else
        expect(rest.replace(/(["'])(?:\\[\s\S]|(?!\1)[^\\])*\1\s*:/g, '').replace(/[\s[\]{},:]+/g, '')).toBe(
          '',
        );
    }),
    { numRuns: 334 },
  );
});

test('every scalar of a JSON document is in one piece, or in windows that together make it up', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.dictionary(fc.string(), fc.oneof(fc.integer(), fc.string({ maxLength: 900 })), { minKeys: 1 }),
        { minLength: 1 },
      ),
      fc.constantFrom(undefined, 2),
      (value, indent) => {
        const text = JSON.stringify(value, undefined, indent);
        const kept = piecesOf(text)
          .map(({ start, end }) => text.slice(start, end))
          .join('')
          .replace(/\s/g, '');
        for (const scalar of value.flatMap((members) => Object.values(members)))
          expect(kept).toContain(JSON.stringify(scalar).replace(/\s/g, ''));
      },
    ),
  );
});

test('with a limit on their number, neighbours are joined and nothing else changes', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 1, max: 30 }), (text, maxPieces) => {
      const all = piecesOf(text);
      const joined = piecesOf(text, { maxPieces });
      expect(joined.length).toBeLessThanOrEqual(maxPieces);
      if (all.length <= maxPieces) expect(joined).toEqual(all);
      let next = 0;
      for (const { start, end } of joined) {
        const first = next;
        while (next < all.length && (all[next] as Piece).end <= end) next++;
        const parts = all.slice(first, next);
        expect(parts[0]?.start).toBe(start);
        expect(parts.at(-1)?.end).toBe(end);
      }
      expect(next).toBe(all.length);
    }),
    { numRuns: 334 },
  );
});

const hostile: Record<string, (size: number) => string> = {
  'one letter': (size) => 'a'.repeat(size),
  spaces: (size) => ' '.repeat(size),
  quotes: (size) => '"'.repeat(size),
  dots: (size) => '.'.repeat(size),
  'nested arrays': (size) => '['.repeat(size),
  'nested arrays on lines': (size) => '[\n'.repeat(size / 2),
  'nested objects': (size) => '{"a":'.repeat(size / 5),
  'open braces on lines': (size) => '{\n'.repeat(size / 2),
  'short arrays on a line': (size) => '[1] '.repeat(size / 4),
  'open strings': (size) => '["a\n'.repeat(size / 4),
  'line feeds': (size) => '\n'.repeat(size),
  'carriage returns': (size) => 'a\r'.repeat(size / 2),
  'hunk headers': (size) => '@@ -1 +1 @@\n'.repeat(size / 12),
  'diff headers': (size) => '--- a\n+++ b\n'.repeat(size / 12),
  frames: (size) => ' at f (a.js:1)\n'.repeat(size / 15),
  'error lines': (size) => 'Error: a\n'.repeat(size / 9),
  pipes: (size) => '|\n'.repeat(size / 2),
  'rows of commas': (size) => 'a,b,c\n'.repeat(size / 6),
  'a long JSON string without spaces': (size) => `["${'ab'.repeat(size / 2)}"]`,
  backslashes: (size) => `["${'\\'.repeat(size)}"]`,
  sentences: (size) => 'One two three four. '.repeat(size / 20),
  Chinese: (size) => '中文。'.repeat(size / 3),
};

test.each(Object.entries(hostile))('twice as much of %s is about twice the work', (_, make) => {
  const [one, two] = [make(30_000), make(60_000)];
  const ratio =
    workOf(() => piecesOf(two)) /
    Math.max(
      1,
      workOf(() => piecesOf(one)),
    );
  expect(ratio).toBeLessThan(2.6);
});
