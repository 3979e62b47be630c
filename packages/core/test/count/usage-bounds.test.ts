import { usageBounds } from '../../src/count/coefficients.js';

const counted = { tokens: 1_000, toolCalls: 10 };

const prior = (offset: number, factor: number, perToolCall = 0) => ({ offset, factor, perToolCall });

test.each([
  ['a third of the count to three times it', prior(0, 1), 1_000 / 3, 3_000],
  ['the count below and what is expected above, if that is more', prior(500, 2, 50), 1_000 / 3, 9_000],
  ['what is expected below and the count above, if that is less', prior(100, 0.5), 200, 3_000],
  ['nothing below, rather than less', prior(-5_000, 1), 0, 3_000],
])('a report is believed from %s, plus room for unknown content', (_what, expected, least, most) => {
  const bounds = usageBounds(counted, expected, 100_000);
  expect(bounds.least).toBeCloseTo(least);
  expect(bounds.most).toBe(most + 100_000);
});

test('a report is likely with a tenth, and roomy with most, of what may be unknown', () => {
  expect(usageBounds(counted, prior(0, 1), 100_000)).toMatchObject({ likely: 13_000, roomy: 80_000 });
});
