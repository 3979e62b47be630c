import type { Sample } from '../src/averages.js';
import { averageOf, pairedDifference } from '../src/index.js';

const of = (source: string, session: string, ...values: readonly number[]): Sample[] =>
  values.map((value) => ({ source, session, value }));

describe('an average', () => {
  test('is over the cuts of a session, then over the sessions', () => {
    const samples = [...of('a', '1', 0, 50, 100), ...of('a', '2', 100), ...of('b', '1', 10, 20)];
    // Sessions of 50, 100 and 15.
    expect(averageOf(samples)).toMatchObject({ mean: 55, sessions: 3, count: 6 });
  });

  test('counts every session once, whatever source it is from', () => {
    const many = Array.from({ length: 9 }, (_, session) => of('a', `${session}`, 100, 100)).flat();
    expect(averageOf([...many, ...of('b', 'x', 0, 0, 0, 0, 0, 0)])?.mean).toBe(90);
  });

  test('keeps sessions of one name in two sources apart', () => {
    expect(averageOf([...of('a', '1', 0), ...of('b', '1', 90)])).toMatchObject({ mean: 45, sessions: 2 });
  });

  test('is undefined without samples', () => {
    expect(averageOf([])).toBeUndefined();
  });
});

describe('the standard error', () => {
  test('is the deviation of the sessions’ means, divided by the root of their number', () => {
    // 0 and 100 deviate by 70.7 from each other’s mean; half of the variance is left.
    expect(averageOf([...of('a', '1', 0), ...of('a', '2', 100)])?.error).toBeCloseTo(50);
    const five = [0, 25, 50, 75, 100].flatMap((value) => of('a', `${value}`, value));
    expect(averageOf(five)?.error).toBeCloseTo(39.528 / Math.sqrt(5), 3);
  });

  test('is not that of the cuts of one session', () => {
    expect(averageOf([...of('a', '1', 0, 100), ...of('a', '2', 50)])?.error).toBe(0);
  });

  test('of a single session is not known', () => {
    expect(averageOf(of('a', '1', 0, 100, 0, 100))).toMatchObject({ mean: 50, error: undefined });
  });
});

describe('a paired difference', () => {
  const easy = of('a', 'easy', 90, 100);
  const hard = of('a', 'hard', 10, 20);

  test('has no error if one is better by the same everywhere, however different the sessions are', () => {
    const better = [...easy, ...hard].map((one) => ({ ...one, value: one.value + 3 }));
    expect(pairedDifference(better, [...easy, ...hard])).toMatchObject({ mean: 3, error: 0, sessions: 2 });
    expect(averageOf(better)?.error).toBeGreaterThan(30);
  });

  test('is over the sessions that both have', () => {
    const difference = pairedDifference([...of('a', 'easy', 99), ...of('b', 'other', 0)], [...easy, ...hard]);
    expect(difference).toMatchObject({ mean: 4, error: undefined, sessions: 1 });
    expect(pairedDifference(of('b', 'easy', 99), easy)).toBeUndefined();
  });
});
