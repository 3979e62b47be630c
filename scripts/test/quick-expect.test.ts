import fc from 'fast-check';
import { quick, whole } from '../jest/quick-expect.js';

type Said = string | undefined;

/** What a matcher says of two values; nothing if it is satisfied. */
function saidOf(expectation: unknown, matcher: string, expected: unknown): Said {
  try {
    (expectation as Record<string, (expected: unknown) => void>)[matcher]?.(expected);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

const values = fc.oneof(
  fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withTypedArray: true }),
  fc.double(),
  fc.integer({ min: -2, max: 2 }),
  fc.constantFrom(
    undefined,
    null,
    Number.NaN,
    0,
    -0,
    [undefined],
    Array(1),
    { a: undefined },
    {},
    expect.anything(),
  ),
);
const pairs = fc.oneof(
  fc.tuple(values, values),
  values.map((value) => [value, value] as [unknown, unknown]),
);

test.each(Object.keys(quick))('%s says of any two values what jest says', (matcher) => {
  const seen = { satisfied: 0, not: 0 };
  fc.assert(
    fc.property(pairs, ([actual, expected]) => {
      const said = saidOf(expect(actual), matcher, expected);
      seen[said === undefined ? 'satisfied' : 'not'] += 1;
      whole(said).toBe(saidOf(whole(actual), matcher, expected));
      whole(saidOf(expect(actual).not, matcher, expected)).toBe(saidOf(whole(actual).not, matcher, expected));
    }),
    { numRuns: 100 },
  );
  whole(Math.min(seen.satisfied, seen.not)).toBeGreaterThan(5);
});

test('every expectation counts', () => {
  expect.assertions(4);
  expect(1).toBe(1);
  expect([1]).toEqual([expect.any(Number)]);
  expect('text').toContain('e');
  expect(2).not.toBe(1);
});

test('a value has the matchers that jest has', () => {
  const jests = Object.keys(whole(undefined));
  whole(jests.filter((name) => !(name in expect(undefined)))).toEqual([]);
});
