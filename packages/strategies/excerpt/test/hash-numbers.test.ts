import fc from 'fast-check';
import { HashNumbers } from '../src/hash-numbers.js';

test('each number is found by its hash, among all that have the same', () => {
  const hash = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.integer());
  fc.assert(
    fc.property(fc.array(hash, { maxLength: 2_000, size: 'max' }), (hashes) => {
      const numbers = new HashNumbers();
      expect(hashes.map((one) => numbers.add(one))).toEqual([...hashes.keys()]);
      for (const wanted of new Set([...hashes, 7])) {
        const found: number[] = [];
        for (let one = numbers.first(wanted); one >= 0; one = numbers.next(wanted)) found.push(one);
        expect(found.sort((a, b) => a - b)).toEqual(
          [...hashes.keys()].filter((number) => hashes[number] === wanted),
        );
      }
    }),
    { numRuns: 20 },
  );
});
