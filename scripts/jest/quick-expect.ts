type Matchers = Record<string, (...args: unknown[]) => unknown>;
type Equals = (one: unknown, other: unknown, testers: unknown[]) => boolean;

/** Jest's own `expect`. */
export const whole = expect;
const matchersOf = (actual: unknown) => whole(actual) as unknown as Matchers;
const state = whole.getState() as { assertionCalls: number; numPassingAsserts: number };

/** How jest's `toEqual` compares, which jest says only to a matcher. */
let equals: Equals = Object.is;
let testers: unknown[] = [];
whole.extend({
  toSayHowToCompare() {
    equals = this.equals as Equals;
    testers = [this.utils.iterableEquality];
    return { pass: true, message: () => '' };
  },
});
matchersOf(undefined).toSayHowToCompare?.();

const areNumbers = (...values: unknown[]) => values.every((value) => typeof value === 'number');

/** What most tests expect, and whether it is so. */
export const quick: Record<string, (actual: never, expected: never) => boolean> = {
  toBe: Object.is,
  toEqual: (actual, expected) => equals(actual, expected, testers),
  toBeLessThan: (actual, expected) => areNumbers(actual, expected) && actual < expected,
  toBeLessThanOrEqual: (actual, expected) => areNumbers(actual, expected) && actual <= expected,
  toBeGreaterThan: (actual, expected) => areNumbers(actual, expected) && actual > expected,
};

/** The matchers of a value. Jest makes those that are not quick, and says what is not as expected. */
class Expectation {
  constructor(readonly actual: unknown) {}
}
for (const name of Object.keys(matchersOf(undefined)))
  Object.defineProperty(Expectation.prototype, name, {
    get(this: Expectation) {
      const holds = quick[name];
      const { actual } = this;
      if (holds === undefined) return matchersOf(actual)[name];
      return (...args: unknown[]) => {
        if (args.length !== 1 || !holds(actual as never, args[0] as never))
          return matchersOf(actual)[name]?.(...args);
        state.assertionCalls += 1;
        state.numPassingAsserts += 1;
        return undefined;
      };
    },
  });

/**
 * `expect` as tests get it. Jest's makes two hundred functions and an error for each value, and each comparison copies all that its message
 * may need: in loops over many cases that took longer than what they test. What is as expected needs none of it.
 */
const quickExpect = (...values: [unknown]) =>
  values.length === 1 ? new Expectation(values[0]) : whole(...values);
Object.assign(globalThis, { expect: Object.assign(quickExpect, whole) });
