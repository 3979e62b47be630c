import type { Sample } from '../src/averages.js';
import { averageOf, pairedDifference } from '../src/index.js';

const of = (source: string, session: string, ...values: readonly number[]): Sample[] =>
  values.map((value) => ({ source, session, value }));

describe('the standard error', () => {
  test('is not that of the cuts of one session', () => {
    expect(averageOf([...of('a', '1', 0, 100), ...of('a', '2', 50)])?.error).toBe(0);
  });
});

describe('a paired difference', () => {
  const easy = of('a', 'easy', 90, 100);
  const hard = of('a', 'hard', 10, 20);

  test('is over the sessions that both have', () => {
    const difference = pairedDifference([...of('a', 'easy', 99), ...of('b', 'other', 0)], [...easy, ...hard]);
    expect(difference).toMatchObject({ mean: 4, error: undefined, sessions: 1 });
    expect(pairedDifference(of('b', 'easy', 99), easy)).toBeUndefined();
  });
});
