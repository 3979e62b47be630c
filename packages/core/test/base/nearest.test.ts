import fc from 'fast-check';
import { nearest } from '../../src/base/nearest.js';

const names = ['middle-removal', 'oldest-removal', 'hybrid', 'condense'];

test.each([
  ['midle-removal', 'middle-removal'],
  ['oldest_removal', 'oldest-removal'],
  ['HYBRID', 'hybrid'],
  ['hybird', 'hybrid'],
  ['condence', 'condense'],
])('%s is taken for %s', (name, meant) => {
  expect(nearest(name, names)).toBe(meant);
});

test.each([
  ['summarise-everything', names],
  ['a name of one megabyte'.repeat(50_000), names],
  ['x', ['o1', 'y']],
  ['ai', ['o3']],
  ['foo', ['bar']],
  ['a', ['abc']],
  ['hybrid', []],
])('a name unlike all candidates has no nearest one: %.20s', (name, candidates) => {
  expect(nearest(name, candidates)).toBeUndefined();
});

test('an exact match is always the nearest, and any other answer is one of the candidates', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 1 }), fc.string(), fc.nat(), (candidates, name, which) => {
      const there = candidates[which % candidates.length] as string;
      expect(nearest(there, candidates)?.toLowerCase()).toBe(there.toLowerCase());
      const guess = nearest(name, candidates);
      expect(guess === undefined || candidates.includes(guess)).toBe(true);
    }),
  );
});
