import { ConfigError } from '@ctx/core';
import * as z from 'zod';

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
  const remedy = 'See the README of @ctx/file-reading.';
  return new ConfigError({ code: 'config-invalid', problem, place, value, remedy });
}

const megabytes = z.number().min(0);
const tokens = z.int().min(0);

/** How much may be read. A value exactly at a limit is allowed. */
const limitsSchema = z.strictObject({
  /** @default 10 */
  singleFileMaxMB: megabytes,
  /** @default 50000 */
  singleFileMaxTokens: tokens,
  /** @default 20 */
  batchTotalMaxMB: megabytes,
  /** @default 100000 */
  batchTotalMaxTokens: tokens,
  /** A file with more tokens gets a notice. So do several files with more than twice as many. @default 30000 */
  warningThresholdTokens: tokens,
  /** True: a file over a limit is refused. False: it only gets a notice. @default true */
  enableStrictMode: z.boolean(),
});
const overridesSchema = limitsSchema.partial();
export const windowSchema = z.number().positive();
export const bufferSchema = z.number().min(0).lt(1);

export type FileReadingLimits = Readonly<z.infer<typeof limitsSchema>>;
/** Limits that override the calculated ones. */
export type LimitOverrides = Readonly<z.infer<typeof overridesSchema>>;

export const defaultFileReadingLimits: FileReadingLimits = Object.freeze({
  singleFileMaxMB: 10,
  singleFileMaxTokens: 50_000,
  batchTotalMaxMB: 20,
  batchTotalMaxTokens: 100_000,
  warningThresholdTokens: 30_000,
  enableStrictMode: true,
});

/**
 * The limits for a model: a file may take 40 % of its window and several files 60 %, but never more than the defaults.
 * The notice comes at 60 % of a file's share. Overrides replace the result, whatever the window.
 * @param contextWindow in tokens
 * @throws ConfigError `config-invalid`
 */
export function getFileReadingLimitsForModel(
  contextWindow: number,
  overrides: LimitOverrides = {},
): FileReadingLimits {
  return limitsFor(parseOption('contextWindow', windowSchema, contextWindow), overrides);
}

/**
 * The limits for a window, the defaults without one.
 * @param buffer lowers the limits in tokens by this share, because estimates can be too low. 0–1
 * @throws ConfigError `config-invalid` for an unknown limit or a value out of range
 */
export function limitsFor(
  window = Number.POSITIVE_INFINITY,
  overrides: LimitOverrides = {},
  buffer = 0,
): FileReadingLimits {
  const { singleFileMaxTokens, batchTotalMaxTokens, warningThresholdTokens } = defaultFileReadingLimits;
  const share = Math.floor(0.4 * window);
  const given = Object.entries(parseOption('limits', overridesSchema, overrides));
  const limits: FileReadingLimits = {
    ...defaultFileReadingLimits,
    singleFileMaxTokens: Math.min(singleFileMaxTokens, share),
    batchTotalMaxTokens: Math.min(batchTotalMaxTokens, Math.floor(0.6 * window)),
    warningThresholdTokens: Math.min(warningThresholdTokens, Math.floor(0.6 * share)),
    ...Object.fromEntries(given.filter(([, value]) => value !== undefined)),
  };
  // Rounds before it cuts: 0.7 of 10 is 7, not 6.999….
  const lowered = (limit: number) => Math.floor(Number((limit * (1 - buffer)).toPrecision(12)));
  return {
    ...limits,
    singleFileMaxTokens: lowered(limits.singleFileMaxTokens),
    batchTotalMaxTokens: lowered(limits.batchTotalMaxTokens),
    warningThresholdTokens: lowered(limits.warningThresholdTokens),
  };
}
