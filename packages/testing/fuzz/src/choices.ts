import fc from 'fast-check';

type Values<Fields> = { [Key in keyof Fields]: Fields[Key] extends fc.Arbitrary<infer T> ? T : never };
type Arbitraries = Readonly<Record<string, fc.Arbitrary<unknown>>>;

/** What an arbitrary makes. */
export type MadeBy<A> = A extends fc.Arbitrary<infer T> ? T : never;

/** A whole number from `min` to `max`, both included. */
export const int = (min: number, max: number): fc.Arbitrary<number> => fc.integer({ min, max });

/** One of several, each as often as its weight says. What fails is tried with those before it. */
export const often = <
  const A extends readonly (readonly [weight: number, arbitrary: fc.Arbitrary<unknown>])[],
>(
  ...choices: A
): fc.Arbitrary<MadeBy<A[number][1]>> =>
  fc.oneof(
    { withCrossShrink: true },
    ...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })),
  ) as never;

/** True in so many percent of cases. */
export const chance = (percent: number): fc.Arbitrary<boolean> =>
  often([100 - percent, fc.constant(false)], [percent, fc.constant(true)]);

/** Something in so many percent of cases, otherwise nothing. What fails is tried with nothing first. */
export const maybe = <T>(percent: number, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  often([100 - percent, fc.constant(undefined)], [percent, arbitrary]);

/** Up to so many things, any number of them as often as any other. */
export const upTo = <T>(maxLength: number, arbitrary: fc.Arbitrary<T>, minLength = 0): fc.Arbitrary<T[]> =>
  fc.array(arbitrary, { minLength, maxLength, size: 'max' });

/** An object with these fields, and those of the optional ones that have a value. */
export function record<const R extends Arbitraries, const O extends Arbitraries = Record<never, never>>(
  required: R,
  optional?: O,
): fc.Arbitrary<Values<R> & { [Key in keyof O]?: Exclude<Values<O>[Key], undefined> }> {
  const known = ([, value]: [string, unknown]) => value !== undefined;
  return fc
    .record({ ...required, ...optional })
    .map((fields) => Object.fromEntries(Object.entries(fields).filter(known))) as never;
}
