import { join } from 'node:path';
import { measure } from '../benchmarks/money.js';

test('a session costs the same until there is a compression, and never more dollars than fewer calls', async () => {
  const { rows } = await measure([join(__dirname, '../sessions')], { calls: [2, 6] });
  expect(rows).toHaveLength(6);
  for (const { n, dollars, dollarsWithout, compressions } of rows) {
    expect(n).toBeGreaterThan(0);
    expect(compressions).toBe(0);
    expect(dollars).toBeCloseTo(dollarsWithout, 10);
  }
  const [few, more] = rows;
  expect(more?.dollars).toBeGreaterThan(few?.dollars ?? Number.POSITIVE_INFINITY);
});
