import fc from 'fast-check';
import { textsByUse } from '../../src/count/text-cache.js';

function cache() {
  const asked: string[] = [];
  const texts = textsByUse((text) => {
    asked.push(text);
    return text.length;
  });
  return { texts, asked };
}

const long = 'x'.repeat(40);
const numbered = (number: number, length: number) => String(number).padStart(length, '.');

test('a text is counted once', () => {
  const { texts, asked } = cache();
  expect([texts.count(long), texts.count(long)]).toEqual([40, 40]);
  expect(asked).toEqual([long]);
});

test('a short text, such as the name of a tool, is counted once too', () => {
  const { texts, asked } = cache();
  expect([texts.count('read'), texts.count('read')]).toEqual([4, 4]);
  expect(asked).toEqual(['read']);
});

test('of many texts, those used last are remembered', () => {
  const { texts, asked } = cache();
  for (let number = 0; number < 20_000; number += 1) texts.count(numbered(number, 40));
  texts.count(numbered(20_000, 40));
  texts.count(numbered(0, 40));
  for (let number = 20_001; number < 39_999; number += 1) texts.count(numbered(number, 40));
  expect(texts.size).toBe(40_000);
  texts.count(numbered(39_999, 40));
  expect(texts.size).toBe(20_001);
  asked.length = 0;
  for (const used of [0, 20_000, 39_999]) texts.count(numbered(used, 40));
  expect(asked).toEqual([]);
  texts.count(numbered(1, 40));
  expect(asked).toEqual([numbered(1, 40)]);
});

test('all texts together have at most 8 million characters', () => {
  const { texts, asked } = cache();
  for (let number = 0; number < 4; number += 1) texts.count(numbered(number, 2_000_000));
  expect(texts.size).toBe(4);
  texts.count(numbered(4, 2_000_000));
  expect(texts.size).toBe(3);
  asked.length = 0;
  texts.count(numbered(4, 2_000_000));
  expect(asked).toEqual([]);
  texts.count(numbered(0, 2_000_000));
  expect(asked).toHaveLength(1);
});

test('a text of more than 4 million characters is not kept and displaces nothing', () => {
  const { texts } = cache();
  texts.count(long);
  expect(texts.count('x'.repeat(4_000_001))).toBe(4_000_001);
  expect(texts.size).toBe(1);
});

test('whatever is asked for, in whatever order, the bounds hold and the counts are right', () => {
  const lengths = fc.array(fc.tuple(fc.nat(30), fc.constantFrom(40, 900_000, 1_999_999)), { maxLength: 40 });
  fc.assert(
    fc.property(lengths, (asks) => {
      const { texts, asked } = cache();
      for (const [number, length] of asks) {
        expect(texts.count(numbered(number, length))).toBe(length);
        expect(texts.size).toBeLessThanOrEqual(40_000);
      }
      const lengthsKept = [...new Set(asked)].map((text) => text.length).sort((a, b) => b - a);
      const smallest = lengthsKept.slice(-texts.size).reduce((sum, length) => sum + length, 0);
      expect(smallest).toBeLessThanOrEqual(8_000_000);
    }),
    { numRuns: 7 },
  );
});
