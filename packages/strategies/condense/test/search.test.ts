import fc from 'fast-check';
import { Haystack, searchable } from '../src/search.js';

const piece = fc.constantFrom(
  'a',
  'b',
  'ab',
  'a.ts',
  'src/a.ts',
  '.',
  '/',
  '-',
  'ä',
  '数据',
  ' ',
  '  ',
  '\n',
  'use',
  'x',
);
const text = (max: number) => fc.array(piece, { maxLength: max }).map((pieces) => pieces.join(''));

test('a text is found exactly if it is there, however the search rules texts out', () => {
  fc.assert(
    fc.property(text(30), text(8), (hay, needle) => {
      expect(new Haystack(hay).holds(searchable(needle))).toBe(hay.includes(needle));
      expect(new Haystack(`${hay} ${needle} ${hay}`).holds(searchable(needle))).toBe(true);
    }),
  );
});

test('a path is found exactly if it is named by itself', () => {
  fc.assert(
    fc.property(
      text(30),
      text(4).filter((path) => path !== ''),
      (hay, path) => {
        const around = (at: number) => [hay[at - 1] ?? ' ', hay[at + path.length] ?? ' '] as const;
        const isNamed = Array.from(hay, (_, at) => at).some((at) => {
          const [before, after] = around(at);
          return hay.startsWith(path, at) && !/[\w/.-]/.test(before) && !/[\w/-]/.test(after);
        });
        expect(new Haystack(hay).names(path)).toBe(isNamed);
      },
    ),
  );
});

test('a long text is found too, although only its start is searched for a word', () => {
  const long = `start ${'word '.repeat(200)}end`;
  expect(new Haystack(`before ${long} after`).holds(searchable(long))).toBe(true);
  expect(new Haystack('x'.repeat(1000)).holds(searchable('x'.repeat(700)))).toBe(true);
});
