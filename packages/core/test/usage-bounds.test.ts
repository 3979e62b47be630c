import { usageBounds } from '../src/count/usage-bounds.js';

const counted = { tokens: 1_000, toolCalls: 10 };

test('a report is believed from a third of what is expected to three times that, and what was not told besides', () => {
  const prior = { offset: 0, factor: 1, perToolCall: 0 };
  const { least, ...above } = usageBounds(counted, prior, 100_000);
  expect(least).toBeCloseTo(1_000 / 3);
  expect(above).toEqual({ likely: 13_000, roomy: 80_000, most: 103_000 });
});

test('where more is expected than was counted, the least is of the count and the most of what is expected', () => {
  const prior = { offset: 500, factor: 2, perToolCall: 50 };
  const { least, most } = usageBounds(counted, prior, 100_000);
  expect(least).toBeCloseTo(1_000 / 3);
  expect(most).toBe(3 * 3_000 + 100_000);
});

test('where less is expected than was counted, the least is of what is expected and the most of the count', () => {
  const prior = { offset: 100, factor: 0.5, perToolCall: 0 };
  const { least, most } = usageBounds(counted, prior, 100_000);
  expect(least).toBe(200);
  expect(most).toBe(103_000);
});

test('the least is never below nothing', () => {
  expect(usageBounds(counted, { offset: -5_000, factor: 1, perToolCall: 0 }, 100_000).least).toBe(0);
});
