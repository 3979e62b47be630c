import { unique } from '@ctx/testing';
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

/** A few parts of these kinds. */
export const listOf = (...parts: fc.Arbitrary<Fields>[]): fc.Arbitrary<Fields[]> =>
  fc.array(fc.oneof(...parts), { maxLength: 4 });

/** A text, or a few parts of these kinds. */
export const contentOf = (...parts: fc.Arbitrary<Fields>[]): fc.Arbitrary<unknown> =>
  fc.oneof(fc.constantFrom<unknown>(unique, unique, ''), listOf(...parts));

/** A few steps of a conversation: messages that stand alone, and those that come together. */
export const stepsOf = (
  alone: readonly fc.Arbitrary<Fields>[],
  ...together: readonly fc.Arbitrary<Fields[]>[]
): fc.Arbitrary<Fields[]> =>
  fc
    .array(fc.oneof(...alone.map((message) => message.map((one) => [one])), ...together), { maxLength: 6 })
    .map((steps) => steps.flat());
