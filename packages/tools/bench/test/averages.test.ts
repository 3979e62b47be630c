import type { Sample } from '../src/averages.js';
import { averageOf } from '../src/index.js';

const of = (source: string, session: string, ...values: readonly number[]): Sample[] =>
  values.map((value) => ({ source, session, value }));

describe('an average', () => {
  test('is over the cuts of a session, the sessions of a source, and the sources', () => {
    const samples = [
      // Source a: sessions of 50 and 100, so 75. Source b: a session of 20, so 20.
      ...of('a', '1', 0, 50, 100),
      ...of('a', '2', 100),
      ...of('b', '1', 10, 30),
    ];
    expect(averageOf(samples)).toMatchObject({ mean: 47.5, count: 6 });
  });

  test('counts every source the same, however many cuts and sessions it has', () => {
    const many = Array.from({ length: 9 }, (_, session) => of('a', `${session}`, 100, 100)).flat();
    expect(averageOf([...many, ...of('b', 'x', 0, 50)])?.mean).toBe(62.5);
  });

  test('keeps sessions of one name in two sources apart', () => {
    expect(averageOf([...of('a', '1', 0), ...of('a', '2', 0), ...of('b', '1', 90)])?.mean).toBe(45);
  });

  test('is undefined without samples', () => {
    expect(averageOf([])).toBeUndefined();
  });

  test('does not depend on the order of its samples', () => {
    const samples = [...of('a', '1', 0, 50), ...of('b', '1', 10), ...of('a', '2', 100)];
    expect(averageOf([...samples].reverse())?.mean).toBe(averageOf(samples)?.mean);
  });
});

describe('the standard error', () => {
  const runs = 20_000;

  test('is that of a mean of sessions drawn with replacement', () => {
    // Two draws of 0 or 100: 0, 50, 50 or 100, so the standard deviation is √1250.
    const two = [...of('a', '1', 0), ...of('a', '2', 100)];
    expect(averageOf(two, { runs })?.error).toBeCloseTo(Math.sqrt(1_250), 0);
    // Four draws: half of it.
    const four = [...two, ...of('a', '3', 0), ...of('a', '4', 100)];
    expect(averageOf(four, { runs })?.error).toBeCloseTo(25, 0);
  });

  test('falls with the sources, which are drawn from one by one', () => {
    const samples = ['a', 'b'].flatMap((source) => [...of(source, '1', 0), ...of(source, '2', 100)]);
    expect(averageOf(samples, { runs })?.error).toBeCloseTo(25, 0);
  });

  test('is zero if the sessions of each source agree', () => {
    expect(averageOf([...of('a', '1', 40), ...of('a', '2', 40), ...of('b', '1', 90)])?.error).toBe(0);
  });

  test('is over sessions: cuts of one session are not drawn separately', () => {
    expect(averageOf(of('a', '1', 0, 100, 0, 100))?.error).toBe(0);
  });

  test('is the same each time, and different for another seed', () => {
    const samples = [...of('a', '1', 0), ...of('a', '2', 100), ...of('a', '3', 30)];
    expect(averageOf(samples)).toEqual(averageOf(samples));
    expect(averageOf(samples, { seed: 2 })?.error).not.toBe(averageOf(samples)?.error);
    expect(averageOf(samples, { seed: 2 })?.mean).toBe(averageOf(samples)?.mean);
  });
});
