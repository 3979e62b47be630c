import { nearest } from '@ctx/core/kit';
import { InvalidArgumentError, Option } from 'commander';

/** An option with a value out of a list. A value that is not in it is answered with the nearest one. */
export function choice(flags: string, description: string, values: readonly string[]): Option {
  return new Option(flags, description).choices(values).argParser((value: string) => {
    if (values.includes(value)) return value;
    const guess = nearest(value, values);
    throw new InvalidArgumentError(
      guess === undefined ? `There are: ${values.join(', ')}.` : `Did you mean ${guess}?`,
    );
  });
}
