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
