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

test('a name unlike all candidates has no nearest one', () => {
  expect(nearest('summarise-everything', names)).toBeUndefined();
  expect(nearest('x', names)).toBeUndefined();
  expect(nearest('hybrid', [])).toBeUndefined();
});

test.each([
  ['x', 'o1'],
  ['ai', 'o3'],
  ['x', 'y'],
  ['foo', 'bar'],
  ['a', 'abc'],
])('%s has less in common with %s than not', (name, other) => {
  expect(nearest(name, [other])).toBeUndefined();
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

test('a name of one megabyte works like any other', () => {
  expect(nearest('x'.repeat(1_000_000), names)).toBeUndefined();
});
