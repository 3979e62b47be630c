import type { z } from 'zod';
import type { InjectionToken } from '../base/di.js';
import { english } from '../base/english.js';
import { type ErrorFields, refuse } from '../base/errors.js';
import { faultsOf, keysAt } from './faults.js';

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
  const parsed = schema.safeParse(options, english);
  if (parsed.success) return parsed.data;
  refuse(optionProblems(name, parsed.error.issues, { options, schema }));
  throw parsed.error;
}

/** The problems of a strategy's options, in the words of its schema; for an unknown one with the nearest that it takes. */
export function optionProblems(
  name: string,
  issues: readonly z.core.$ZodIssue[],
  given: { readonly options: unknown; readonly schema: z.ZodType; readonly place?: string },
): ErrorFields[] {
  const { options, schema, place = 'options' } = given;
  return faultsOf(issues, schema, options, {
    subject: `The options of strategy "${name}" are`,
    unknown: `Unknown option of strategy "${name}"`,
    keys: 'The options',
    whole: place,
    within: [place, name],
    remedyFor({ issue, guess }) {
      if (issue.code !== 'unrecognized_keys') return `See the README of the package that provides "${name}".`;
      const known = keysAt(schema, issue.path);
      if (guess !== undefined || known.length > 0)
        return guess ? undefined : `The options are ${known.join(', ')}.`;
      return 'Remove it: this strategy has no options.';
    },
  });
}
