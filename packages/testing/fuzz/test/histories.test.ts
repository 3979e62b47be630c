import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Failure, failureOf, type History, historyOf, LawBook, loadCounters, shrunk } from '@ctx/fuzz';

/** Every seed that ever failed; `npm run fuzz` prints them. A seed gives another history if the generator changes. */
const failed = JSON.parse(readFileSync(join(__dirname, 'failed-seeds.json'), 'utf8')) as {
  readonly histories: readonly number[];
};
/** `CTX_RUNS` times so many. */
const firstSeeds = (count: number) =>
  Array.from({ length: Math.ceil(count * Number(process.env.CTX_RUNS ?? 1)) }, (_, at) => at + 1);

beforeAll(loadCounters);

test('a seed gives the same history each time', () => {
  expect(historyOf(7)).toEqual(historyOf(7));
  expect(historyOf(7)).not.toEqual(historyOf(8));
});

test('histories from fixed seeds, and from all seeds that ever failed, keep every law', async () => {
  const book = new LawBook();
  for (const seed of [...firstSeeds(110), ...failed.histories])
    expect([seed, await failureOf(historyOf(seed), { book })]).toEqual([seed, undefined]);
  for (const law of ['undo', 'reasoning-bound', 'restore-same-reactions'] as const)
    expect(book.checked.get(law)).toBeGreaterThan(0);
});

test('a failure is reduced to the steps that it needs', async () => {
  const plant = (manager: Parameters<NonNullable<Parameters<typeof failureOf>[1]>['plant'] & {}>[0]) =>
    new Proxy(manager, {
      get(target, key) {
        if (key === 'pin') throw new Error('no code');
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  const fails = (one: History) => failureOf(one, { plant });
  const seed = firstSeeds(40).find((one) =>
    historyOf(one).operations.some((operation) => operation.do === 'pin'),
  ) as number;
  const failure = await fails(historyOf(seed));
  expect(failure?.law).toBe('typed-errors');
  const least = await shrunk(seed, failure as Failure, fails);
  expect(least.history.operations.map((operation) => operation.do)).toEqual(['pin']);
  expect(await fails(least.history)).toMatchObject({ law: 'typed-errors', at: 0 });
});
