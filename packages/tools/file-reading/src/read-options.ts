import type { contextBudget, TokenCounter } from '@ctx/core';
import type { FileSystem } from '@ctx/folder-reader';
import * as z from 'zod';
import type { LimitOverrides } from './limits.js';
import { invalidOption, parseOption } from './parse-option.js';

/** An object that knows how much context is left, such as a `ContextManager`. */
interface BudgetSource {
  budget(): ReturnType<typeof contextBudget>;
}

export interface ReadFilesOptions {
  /** Files must also fit into the context that it says is left. If missing, only the limits apply. */
  readonly manager?: BudgetSource | undefined;
  /** In tokens. @default that of the manager's budget; determines the limits */
  readonly contextWindow?: number | undefined;
  /** Override the limits that the window determines. */
  readonly limits?: LimitOverrides | undefined;
  /** Lowers all limits in tokens by this share, 0–1. @default 0 */
  readonly safetyBuffer?: number | undefined;
  /**
   * The folder that paths are relative to. They may not lead out of it, not even through a link. @default anywhere, relative to the
   * working directory
   */
  readonly root?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** A label that `TextDecoder` knows. @default 'utf-8' */
  readonly encoding?: string | undefined;
  /** Counts the tokens of what was read. @default an estimate from length and script */
  readonly counter?: TokenCounter | undefined;
  /** Reads files that are too large once through, in pieces, to name line ranges in the advice. @default false */
  readonly countLines?: boolean | undefined;
  /** How many files are looked at or read at the same time. @default 8 */
  readonly concurrency?: number | undefined;
  /** @default the machine's */
  readonly fileSystem?: FileSystem | undefined;
  /** Called with each refused file. Errors that it throws are ignored. */
  readonly onRejected?:
    | ((path: string, sizeInMB: number, tokens: number, reason: string) => void)
    | undefined;
}

const has = (name: string) => (value: unknown) =>
  typeof (value as Record<string, unknown> | null | undefined)?.[name] === 'function';

const optionsSchema = z.strictObject({
  manager: z.custom<BudgetSource>(has('budget'), 'needs a function budget').optional(),
  contextWindow: z.number().positive().optional(),
  limits: z.custom<LimitOverrides>().optional(),
  safetyBuffer: z.number().min(0).lt(1).optional(),
  root: z.string().min(1).optional(),
  signal: z.custom<AbortSignal>((value) => value instanceof AbortSignal, 'must be an AbortSignal').optional(),
  encoding: z.string().default('utf-8'),
  counter: z.custom<TokenCounter>(has('count'), 'needs a function count').optional(),
  countLines: z.boolean().default(false),
  concurrency: z.int().min(1).default(8),
  fileSystem: z.custom<FileSystem>(has('open'), 'must be a file system').optional(),
  onRejected: z
    .custom<NonNullable<ReadFilesOptions['onRejected']>>(
      (value) => typeof value === 'function',
      'must be a function',
    )
    .optional(),
});
const pathsSchema = z.array(z.string());

/** @throws ConfigError `config-invalid` */
export function parseReadOptions(options: ReadFilesOptions) {
  const parsed = parseOption('options', optionsSchema, options);
  try {
    new TextDecoder(parsed.encoding);
  } catch {
    throw invalidOption('options.encoding', 'There is no such encoding', parsed.encoding);
  }
  return parsed;
}

/** @throws ConfigError `config-invalid` */
export function parsePaths(paths: readonly string[]): readonly string[] {
  return parseOption('paths', pathsSchema, paths as string[]);
}
