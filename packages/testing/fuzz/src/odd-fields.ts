import fc from 'fast-check';

export type Fields = Record<string, unknown>;

/** `extra`: mostly nothing, otherwise fields that no type lists. `oneOf`: one of some values, perhaps with such fields. */
export function oddFields(...odd: readonly Fields[]) {
  const extra: fc.Arbitrary<Fields> = fc.oneof(
    { arbitrary: fc.constant({}), weight: 4 },
    { arbitrary: fc.constantFrom<Fields>(...odd), weight: 1 },
  );
  const oneOf = (...values: readonly Fields[]): fc.Arbitrary<Fields> =>
    fc.tuple(fc.constantFrom(...values), extra).map(([value, more]) => ({ ...value, ...more }));
  return { extra, oneOf };
}
