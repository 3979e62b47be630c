import type { z } from 'zod';
import type { InjectionToken } from '../base/di.js';
import { type ErrorFields, refuse } from '../base/errors.js';
import { placeOf, valueAt } from './config-problems.js';

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
  refuse(optionProblems(name, parsed.error, options));
  throw parsed.error;
}

/** The problems of a strategy's options, in the words of its schema. */
export function optionProblems(name: string, { issues }: z.ZodError, options: unknown): ErrorFields[] {
  return issues.map((issue) => ({
    code: 'config-invalid',
    problem: `The options of strategy "${name}" are invalid: ${issue.message}`,
    place: placeOf(['options', name, ...issue.path]),
    value: valueAt(issue.path, options),
    remedy: `See the README of the package that provides "${name}".`,
  }));
}
