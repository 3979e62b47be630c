import { piecesOf } from '../../src/search/passage.js';

const functionOf = (index: number) => `function number${index}() {\n  return ${index};\n}\n\n`;
const source = Array.from({ length: 40 }, (_, index) => functionOf(index)).join('');

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

test('a text without a space is divided in time linear in its length', () => {
  const search = String.prototype.lastIndexOf;
  let seen = 0;
  String.prototype.lastIndexOf = function (this: string, found: string, from: number = this.length) {
    seen += Math.min(from, this.length);
    return search.call(this, found, from);
  };
  try {
    expect(
      piecesOf('a'.repeat(100_000))
        .map(({ text }) => text)
        .join(''),
    ).toHaveLength(100_000);
  } finally {
    String.prototype.lastIndexOf = search;
  }
  expect(seen).toBeLessThan(300_000);
});
