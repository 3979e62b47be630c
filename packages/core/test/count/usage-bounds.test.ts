import { usageBounds } from '../../src/count/usage-bounds.js';

const counted = { tokens: 1_000, toolCalls: 10 };

test('a report is believed from a third to three times the expected figure, plus room for unknown content', () => {
  const prior = { offset: 0, factor: 1, perToolCall: 0 };
  const { least, ...above } = usageBounds(counted, prior, 100_000);
  expect(least).toBeCloseTo(1_000 / 3);
  expect(above).toEqual({ likely: 13_000, roomy: 80_000, most: 103_000 });
});

test('if more is expected than counted, the lower bound uses the count and the upper the expectation', () => {
  const prior = { offset: 500, factor: 2, perToolCall: 50 };
  const { least, most } = usageBounds(counted, prior, 100_000);
  expect(least).toBeCloseTo(1_000 / 3);
  expect(most).toBe(3 * 3_000 + 100_000);
});

test('if less is expected than counted, the lower bound uses the expectation and the upper the count', () => {
  const prior = { offset: 100, factor: 0.5, perToolCall: 0 };
  const { least, most } = usageBounds(counted, prior, 100_000);
  expect(least).toBe(200);
  expect(most).toBe(103_000);
});

test('the lower bound is never negative', () => {
  expect(usageBounds(counted, { offset: -5_000, factor: 1, perToolCall: 0 }, 100_000).least).toBe(0);
});
