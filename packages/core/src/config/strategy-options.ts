import type { z } from 'zod';
import type { InjectionToken } from '../base/di.js';
import { type ErrorFields, refuse } from '../base/errors.js';
import { nearest } from '../base/nearest.js';
import { placeOf, valueAt } from './config-problems.js';
import { keysAt } from './schema-fields.js';

/** The token for the checked options of a strategy. */
export function optionsToken<Options = unknown>(name: string): InjectionToken<Options> {
  return Symbol.for(`@ctx/strategy-options/${name}`);
}

/** The problem of a configuration that has options for a strategy registered as an object. */
export function optionsNotTaken(name: string, value: unknown): ErrorFields {
  return {
    code: 'config-invalid',
    problem: `Strategy "${name}" is registered as an object and takes no options from a configuration`,
    place: `options.${name}`,
    value,
    remedy: 'Pass the options when you create it, or register the result of strategyFactory.',
  };
}

/**
 * Checks the options of a strategy and fills in its defaults.
 * @throws ConfigError `config-invalid`
 */
export function parseOptions<Options>(
  name: string,
  schema: z.ZodType<Options>,
  options: unknown = {},
): Options {
  const parsed = schema.safeParse(options);
  if (parsed.success) return parsed.data;
  refuse(optionProblems(name, parsed.error, { options, schema }));
  throw parsed.error;
}

/** The problems of a strategy's options, in the words of its schema; for an unknown one with the nearest that it takes. */
export function optionProblems(
  name: string,
  { issues }: Pick<z.ZodError, 'issues'>,
  given: { readonly options: unknown; readonly schema: z.ZodType; readonly place?: string },
): ErrorFields[] {
  const { options, schema, place = 'options' } = given;
  return issues.flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') {
      return {
        code: 'config-invalid' as const,
        problem: `The options of strategy "${name}" are invalid: ${issue.message}`,
        place: placeOf([place, name, ...issue.path]),
        value: valueAt(issue.path, options),
        remedy: `See the README of the package that provides "${name}".`,
      };
    }
    const known = keysAt(schema, issue.path);
    return issue.keys.map((key) => ({
      code: 'config-invalid' as const,
      problem: `Unknown option of strategy "${name}"`,
      place: placeOf([place, name, ...issue.path, key]),
      value: valueAt([...issue.path, key], options),
      remedy: remedyFor(key, known),
    }));
  });
}

function remedyFor(key: string, known: readonly string[]): string {
  const guess = nearest(key, known);
  if (guess !== undefined) return `Did you mean "${guess}"?`;
  return known.length === 0
    ? 'Remove it: this strategy has no options.'
    : `The options are ${known.join(', ')}.`;
}
