import { ConfigError } from '@ctx/core';
import { nearest } from '@ctx/core/kit';

/** The names of all options of a call: a record, so that the compiler notices one that is missing. */
export type Keys<Options> = Readonly<Record<keyof Options, true>>;

/**
 * Refuses options that a call does not take, so that none is passed over in silence.
 * @throws ConfigError `config-invalid`
 */
export function refuseUnknown(options: object, known: Readonly<Record<string, true>>, call: string): void {
  if (typeof options !== 'object' || options === null) {
    throw new ConfigError({
      code: 'config-invalid',
      problem: 'An object of options was expected',
      place: call,
      value: options,
      remedy: `The options of ${call} are ${Object.keys(known).join(', ')}.`,
    });
  }
  const unknown = Object.keys(options).find((key) => !Object.hasOwn(known, key));
  if (unknown === undefined) return;
  const names = Object.keys(known);
  const guess = nearest(unknown, names);
  throw new ConfigError({
    code: 'config-invalid',
    problem: 'Unknown option',
    place: unknown,
    value: (options as Readonly<Record<string, unknown>>)[unknown],
    remedy:
      guess === undefined ? `The options of ${call} are ${names.join(', ')}.` : `Did you mean "${guess}"?`,
  });
}
