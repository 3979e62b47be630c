import { seededRandom } from '@ctx/core';
import fc from 'fast-check';

const draw = (seed: number, count: number) => {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => random());
};

test('a seed determines every number, and each is at least 0 and below 1', () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const numbers = draw(seed, 50);
      expect(draw(seed, 50)).toEqual(numbers);
      expect(numbers.every((number) => number >= 0 && number < 1)).toBe(true);
      expect(new Set(numbers).size).toBeGreaterThan(45);
    }),
  );
});

test('neighbouring seeds give different numbers', () => {
  expect(new Set([0, 1, 2, 3].map((seed) => seededRandom(seed)())).size).toBe(4);
});

test('the numbers are evenly spread', () => {
  const tenths = new Array<number>(10).fill(0);
  for (const number of draw(42, 10_000)) {
    const tenth = Math.floor(number * 10);
    tenths[tenth] = (tenths[tenth] ?? 0) + 1;
  }
  for (const count of tenths) expect(Math.abs(count - 1_000)).toBeLessThan(150);
});
