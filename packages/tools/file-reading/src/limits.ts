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
  return new ConfigError({
    code: 'config-invalid',
    problem,
    place,
    value,
    remedy: 'See the README of @ctx/file-reading.',
  });
}

const megabytes = z.number().min(0);
const tokens = z.int().min(0);

const overridesSchema = z
  .strictObject({
    singleFileMaxMB: megabytes,
    singleFileMaxTokens: tokens,
    batchTotalMaxMB: megabytes,
    batchTotalMaxTokens: tokens,
    warningThresholdTokens: tokens,
    enableStrictMode: z.boolean(),
  })
  .partial();
const windowSchema = z.number().positive();
const bufferSchema = z.number().min(0).lt(1);

/** How much may be read. A value exactly at a limit is allowed. */
export interface FileReadingLimits {
  /** @default 10 */
  readonly singleFileMaxMB: number;
  /** @default 50000 */
  readonly singleFileMaxTokens: number;
  /** @default 20 */
  readonly batchTotalMaxMB: number;
  /** @default 100000 */
  readonly batchTotalMaxTokens: number;
  /** A file with more tokens gets a notice. So do several files with more than twice as many. @default 30000 */
  readonly warningThresholdTokens: number;
  /** True: a file over a limit is refused. False: it only gets a notice. @default true */
  readonly enableStrictMode: boolean;
}

/** Limits that override the calculated ones. */
export type LimitOverrides = {
  readonly [Key in keyof FileReadingLimits]?: FileReadingLimits[Key] | undefined;
};

export const defaultFileReadingLimits: FileReadingLimits = Object.freeze({
  singleFileMaxMB: 10,
  singleFileMaxTokens: 50_000,
  batchTotalMaxMB: 20,
  batchTotalMaxTokens: 100_000,
  warningThresholdTokens: 30_000,
  enableStrictMode: true,
});

/**
 * The defaults with overrides.
 * @throws ConfigError `config-invalid` for an unknown key or a value out of range
 */
export function fileReadingLimits(overrides: LimitOverrides = {}): FileReadingLimits {
  return overridden(defaultFileReadingLimits, overrides);
}

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
  const window = parseOption('contextWindow', windowSchema, contextWindow);
  const share = Math.floor(0.4 * window);
  const { singleFileMaxTokens, batchTotalMaxTokens, warningThresholdTokens } = defaultFileReadingLimits;
  const limits = {
    ...defaultFileReadingLimits,
    singleFileMaxTokens: Math.min(singleFileMaxTokens, share),
    batchTotalMaxTokens: Math.min(batchTotalMaxTokens, Math.floor(0.6 * window)),
    warningThresholdTokens: Math.min(warningThresholdTokens, Math.floor(0.6 * share)),
  };
  return overridden(limits, overrides);
}

/**
 * Lowers the limits in tokens, because estimates can be too low.
 * @param buffer share of each limit, 0–1
 * @throws ConfigError `config-invalid`
 */
export function withSafetyBuffer(limits: FileReadingLimits, buffer = 0.2): FileReadingLimits {
  const kept = 1 - parseOption('safetyBuffer', bufferSchema, buffer);
  return {
    ...limits,
    singleFileMaxTokens: shareOf(limits.singleFileMaxTokens, kept),
    batchTotalMaxTokens: shareOf(limits.batchTotalMaxTokens, kept),
    warningThresholdTokens: shareOf(limits.warningThresholdTokens, kept),
  };
}

/** Rounds before it cuts: 0.7 of 10 is 7, not 6.999…. */
function shareOf(tokenLimit: number, share: number): number {
  return Math.floor(Number((tokenLimit * share).toPrecision(12)));
}

function overridden(limits: FileReadingLimits, overrides: LimitOverrides): FileReadingLimits {
  const given = Object.entries(parseOption('limits', overridesSchema, overrides));
  return { ...limits, ...Object.fromEntries(given.filter(([, value]) => value !== undefined)) };
}
