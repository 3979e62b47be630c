import { CompressionLevel } from '@ctx/core';
import { levelOf } from '../../src/budget/budget.js';

const { NONE, WARNING, SOFT, HARD, EMERGENCY } = CompressionLevel;
const cipher = { warn: 0.8, compress: 0.9 };

test.each([
  [799, NONE],
  [800, WARNING],
  [899, WARNING],
  [900, SOFT],
  [949, SOFT],
  [950, HARD],
  [999, HARD],
  [1_000, EMERGENCY],
])('a level starts exactly at its share: %i of 1000 tokens are level %i', (tokens, level) => {
  expect(levelOf(tokens, 1_000, cipher)).toBe(level);
});

test('there is no SOFT if compression starts at 0.95', () => {
  const late = { warn: 0.9, compress: 0.95 };
  const reached = new Set(Array.from({ length: 1_200 }, (_, tokens) => levelOf(tokens, 1_000, late)));
  expect([...reached]).toEqual([NONE, WARNING, HARD, EMERGENCY]);
});
