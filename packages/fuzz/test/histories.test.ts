import { failureOf, historyOf, LawBook } from '@ctx/fuzz';

describe('histories from fixed seeds', () => {
  test('a seed gives the same history each time', () => {
    expect(historyOf(7)).toEqual(historyOf(7));
    expect(historyOf(7)).not.toEqual(historyOf(8));
  });

  test('keep every law', async () => {
    const book = new LawBook();
    const failures: unknown[] = [];
    for (let seed = 1; seed <= 200; seed += 1) {
      const failure = await failureOf(historyOf(seed), { book });
      if (failure !== undefined) failures.push({ seed, ...failure });
    }
    expect(failures).toEqual([]);
  });
});
