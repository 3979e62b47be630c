import { seededRandom } from '@ctx/core';
import fc from 'fast-check';
import { dropAtRandom, dropBatch } from '../src/drop.js';

const sum = (sizes: readonly { readonly size: number }[]) => sizes.reduce((all, { size }) => all + size, 0);
const sections = fc.array(fc.record({ size: fc.integer({ min: 1, max: 500 }) }), { maxLength: 60 });

test.each([
  ['7 of 20 sections with 15,000 tokens meet 10,000', 15_000, 10_000, 20, 7],
  ['nothing at the threshold', 10_000, 10_000, 20, 0],
  ['nothing below it', 1, 10_000, 20, 0],
  ['nothing of nothing', 0, 0, 0, 0],
  ['above it at least one', 10_001, 10_000, 2, 1],
  ['never more than there are', 1_000_000, 1, 3, 3],
])('what is dropped: %s', (_title, tokens, threshold, count, dropped) => {
  expect(dropBatch(tokens, threshold, count)).toBe(dropped);
});

test('a batch is sections · r / (1 + r), rounded up, where r is the excess ratio', () => {
  const size = fc.integer({ min: 1, max: 100_000 });
  fc.assert(
    fc.property(size, size, fc.integer({ min: 1, max: 500 }), (threshold, excess, count) => {
      const ratio = excess / threshold;
      const exact = (count * ratio) / (1 + ratio);
      expect(dropBatch(threshold + excess, threshold, count)).toBeGreaterThanOrEqual(exact - 1e-6);
      expect(dropBatch(threshold + excess, threshold, count)).toBeLessThan(exact + 1 + 1e-6);
    }),
  );
});

test('the rest fits or is empty, keeps its order, and together with the dropped sections is complete', () => {
  fc.assert(
    fc.property(sections, fc.integer({ min: 1, max: 3000 }), fc.integer(), (all, maxTokens, seed) => {
      const drop = () => dropAtRandom(all, maxTokens, sum, seededRandom(seed));
      const { kept, dropped } = drop();
      expect(kept.length === 0 || sum(kept) <= maxTokens).toBe(true);
      expect(all.filter((section) => kept.includes(section))).toEqual(kept);
      expect(all.filter((section) => dropped.includes(section))).toEqual(dropped);
      expect(kept.length + dropped.length).toBe(all.length);
      expect(drop()).toEqual({ kept, dropped });
    }),
  );
});

test('every section has the same chance', () => {
  const all = Array.from({ length: 10 }, (_, index) => ({ size: 1, index }));
  const counts = all.map(() => 0);
  const tokensOf = (some: readonly (typeof all)[number][]) => sum(some);
  for (let seed = 0; seed < 2000; seed += 1) {
    const { dropped } = dropAtRandom(all, 5, tokensOf, seededRandom(seed));
    for (const { index } of dropped) counts[index] = (counts[index] as number) + 1;
  }
  for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(120);
});
