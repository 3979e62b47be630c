import { ConfigError } from '@ctx/core';
import type { z } from 'zod';

/**
 * Checks a value and fills in defaults.
 * @throws ConfigError `config-invalid`, with the key
 */
export function parseOption<Value>(place: string, schema: z.ZodType<Value>, value: unknown): Value {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw invalidOption(
    [place, ...(issue?.path ?? [])].join('.'),
    `The option is invalid: ${issue?.message}`,
    issue?.path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], value),
  );
}

export function invalidOption(place: string, problem: string, value: unknown): ConfigError {
  return new ConfigError({
    code: 'config-invalid',
    problem,
    place,
    value,
    remedy: 'See the README of @ctx/file-reading.',
  });
}
