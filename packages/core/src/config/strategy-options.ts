import type { z } from 'zod';
import type { InjectionToken } from '../base/di.js';
import { type ErrorFields, refuse } from '../base/errors.js';
import { placeOf, valueAt } from './config-problems.js';

/** The token under which a strategy gets its checked options. */
export function optionsToken<Options = unknown>(name: string): InjectionToken<Options> {
  return Symbol.for(`@ctx/strategy-options/${name}`);
}

/** What is wrong where a configuration has options for a strategy that is an object. */
export function optionsNotTaken(name: string, value: unknown): ErrorFields {
  return {
    code: 'config-invalid',
    problem: `Strategy "${name}" is registered as an object and takes no options from a configuration`,
    place: `options.${name}`,
    value,
    remedy: 'Give it its options where it is made, or register what strategyFactory makes.',
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

/** What is wrong with the options of a strategy, in the words of its schema. */
export function optionProblems(name: string, { issues }: z.ZodError, options: unknown): ErrorFields[] {
  return issues.map((issue) => ({
    code: 'config-invalid',
    problem: `The options of strategy "${name}" are invalid: ${issue.message}`,
    place: placeOf(['options', name, ...issue.path]),
    value: valueAt(issue.path, options),
    remedy: `See the README of the package that provides "${name}".`,
  }));
}
