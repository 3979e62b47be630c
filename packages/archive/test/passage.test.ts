import { piecesOf } from '../src/passage.js';

const source = Array.from(
  { length: 40 },
  (_, index) => `function number${index}() {\n  return ${index};\n}\n\n`,
).join('');

test.each([
  ['nothing', ''],
  ['a line', 'one line'],
  ['line breaks only', '\n\n\n'],
  ['functions', source],
  ['a line that is too long', 'word '.repeat(500)],
  ['a line without a space', 'x'.repeat(5_000)],
  ['pairs of surrogates', '😀'.repeat(2_000)],
  ['other line breaks', 'one\r\ntwo\r\n\r\n'.repeat(100)],
])('the pieces of %s are all of it, each with its lines', (_title, text) => {
  const pieces = piecesOf(text);
  const lines = text.split(/(?<=\n)/);
  expect(pieces.map((piece) => piece.text).join('')).toBe(text);
  for (const piece of pieces) {
    expect(piece.text.length).toBeLessThanOrEqual(250);
    expect(lines.slice(piece.firstLine, piece.lastLine + 1).join('')).toContain(piece.text);
    expect(Buffer.from(piece.text).toString()).toBe(piece.text);
  }
});

test('a piece ends with a function, not in the middle of one', () => {
  for (const { text } of piecesOf(source)) expect(text.trimEnd().endsWith('}')).toBe(true);
});
