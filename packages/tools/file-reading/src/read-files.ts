import { resolve } from 'node:path';
import { contextBudget, estimateTokens, type TokenCounter } from '@ctx/core';
import {
  type Base,
  type FileProblem,
  type FileSystem,
  isProblem,
  type LocatedFile,
  locate,
  nodeFileSystem,
  problemOf,
} from '@ctx/strategy-file-folding/folder-reader';
import * as z from 'zod';
import {
  type ContextBudget,
  canAddTokens,
  type FileReadingRecommendation,
  recommendFileReadingStrategy,
} from './budget.js';
import {
  bufferSchema,
  type FileReadingLimits,
  invalidOption,
  type LimitOverrides,
  limitsFor,
  parseOption,
  windowSchema,
} from './limits.js';
import { type FileReadResult, type OnRejected, type ReadReport, reportOf } from './read-report.js';
import { linesOf, readText, type TextRead, throwIfAborted } from './read-text.js';
import {
  type BatchContext,
  checkBatch,
  checkFileSize,
  type FileSizeInfo,
  fileSizeInfo,
  type Refusal,
  type SizedFile,
} from './size-check.js';

/** An object that knows how much context is left, such as a `ContextManager`. */
interface BudgetSource {
  budget(): ContextBudget;
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
  /** Counts the tokens of what was read. @default an estimate from length and script */
  readonly counter?: TokenCounter | undefined;
  /** @default the machine's */
  readonly fileSystem?: FileSystem | undefined;
  readonly onRejected?: OnRejected | undefined;
}

const has = (name: string) => (value: unknown) =>
  typeof (value as Record<string, unknown> | null | undefined)?.[name] === 'function';

const optionsSchema = z.strictObject({
  manager: z.custom<BudgetSource>(has('budget'), 'needs a function budget').optional(),
  contextWindow: windowSchema.optional(),
  limits: z.custom<LimitOverrides>().optional(),
  safetyBuffer: bufferSchema.optional(),
  root: z.string().min(1).optional(),
  signal: z.custom<AbortSignal>((value) => value instanceof AbortSignal, 'must be an AbortSignal').optional(),
  counter: z.custom<TokenCounter>(has('count'), 'needs a function count').optional(),
  fileSystem: z.custom<FileSystem>(has('open'), 'must be a file system').optional(),
  onRejected: z.custom<OnRejected>((value) => typeof value === 'function', 'must be a function').optional(),
});
const pathsSchema = z.array(z.string());

/**
 * The folder that files are read from.
 * @throws ConfigError `config-invalid` when the root can't be found
 */
async function baseOf(root: string | undefined, fileSystem: FileSystem): Promise<Base> {
  if (root === undefined) return { folder: resolve(), root };
  try {
    return { folder: resolve(root), root: await fileSystem.realpath(root) };
  } catch (error) {
    throw invalidOption('root', `The root can't be used: ${problemOf(error).error}`, root);
  }
}

/** A path that was asked for, and what is known and decided about it so far. */
interface Asked extends SizedFile {
  /** As it was before the file was read. */
  readonly size: FileSizeInfo;
  readonly located?: LocatedFile;
  refusal?: Refusal;
  text?: TextRead;
  notice?: string | undefined;
  sizeInMB: number;
  estimatedTokens: number;
  lines?: number;
}

const isOpen = ({ refusal }: Asked) => refusal === undefined;

/**
 * Reads files that are small enough: each alone, all together, and for the remaining context. It looks up every size before it opens the
 * first file, and never opens a refused file. If a text has more tokens than the file's size suggested, it applies the limits once more
 * and drops files over them.
 *
 * A problem with a file is never thrown; it is in the file's result.
 * @throws ConfigError `config-invalid` for options or a root that can't be used; CtxError `aborted`
 */
export async function readFiles(
  paths: readonly string[],
  options: ReadFilesOptions = {},
): Promise<ReadReport> {
  const settings = parseOption('options', optionsSchema, options);
  const { fileSystem = nodeFileSystem, signal, counter, onRejected } = settings;
  const given = parseOption('paths', pathsSchema, paths as string[]);
  const budget = settings.manager?.budget();
  const contextWindow = settings.contextWindow ?? budget?.contextWindow;
  const limits = limitsFor(contextWindow, settings.limits, settings.safetyBuffer);
  const context = { contextWindow, usagePercent: budget?.usagePercent };
  throwIfAborted(signal);
  const base = await baseOf(settings.root, fileSystem);

  const asked: Asked[] = [];
  for (const [absolute, path] of uniquePaths(given, base.folder)) {
    throwIfAborted(signal);
    const located = await locate(absolute, base, fileSystem);
    const size = fileSizeInfo(isProblem(located) ? 0 : located.stat.size);
    asked.push({
      path,
      size,
      ...size,
      ...(isProblem(located) ? { refusal: failure(located) } : { located }),
    });
  }

  // What the sizes say about all of them is said when the tokens are known.
  withinLimits(asked.filter(isOpen), limits, context);
  const recommendation = budget && recommendFileReadingStrategy(budget, asked.filter(isOpen));
  const notices = recommendation === undefined ? [] : recommended(asked.filter(isOpen), recommendation);

  const countTokens = await counterOf(counter);
  for (const file of asked.filter(isOpen)) {
    const text = await readText(file.located as LocatedFile, { fileSystem, signal });
    if (isProblem(text)) file.refusal = failure(text);
    else {
      file.text = text;
      file.sizeInMB = fileSizeInfo(text.sizeInBytes).sizeInMB;
      file.lines = linesOf(text.content);
      file.estimatedTokens = countTokens(text.content);
    }
  }
  notices.push(...withinLimits(asked.filter(isOpen), limits, context));
  if (budget !== undefined) notices.push(...withRoom(asked.filter(isOpen), budget));

  const estimated = counter === undefined || counter.loaded === false;
  return reportOf(asked.map(resultOf), { notices, recommendation, estimated, onRejected });
}

/** Refuses each file that is over its own limits, then all that are left if they are over the common ones. Returns what to say about these. */
function withinLimits(files: readonly Asked[], limits: FileReadingLimits, context: BatchContext): string[] {
  for (const file of files) {
    const check = checkFileSize(file, limits);
    if (check.status === 'blocked') file.refusal = check;
    else file.notice = check.notice;
  }
  const small = files.filter(isOpen);
  const batch = checkBatch(small, limits, context);
  if (batch.status === 'approved') return batch.notice === undefined ? [] : [batch.notice];
  for (const file of small) file.refusal = batch;
  return [];
}

function recommended(
  files: readonly Asked[],
  { strategy, allowedFiles, message }: FileReadingRecommendation,
): string[] {
  const allowed = new Set(allowedFiles);
  for (const file of files) if (!allowed.has(file.path)) file.refusal = noRoom(message);
  return strategy === 'allow_partial' ? [message] : [];
}

/** Adds the files that were read to the context in their order, each if there is still room for it. */
function withRoom(files: readonly Asked[], budget: ContextBudget): string[] {
  let { usedTokens } = budget;
  for (const file of files) {
    const check = canAddTokens(contextBudget({ ...budget, usedTokens }), file.estimatedTokens);
    if (check.allowed) usedTokens += file.estimatedTokens;
    else file.refusal = noRoom(check.reason);
  }
  const all = canAddTokens(budget, usedTokens - budget.usedTokens);
  return all.allowed && all.warning !== undefined ? [all.warning] : [];
}

const noRoom = (error: string): Refusal => ({ status: 'blocked', reason: 'context', error });

/** Problems with files that the system would let us read. */
const refused: readonly string[] = ['outside-root', 'binary', 'not-text'];

function failure({ problem, error }: FileProblem): Refusal {
  return { status: refused.includes(problem) ? 'blocked' : 'failed', reason: problem, error };
}

function resultOf({ path, size, estimatedTokens: tokens, text, refusal, notice }: Asked): FileReadResult {
  const { sizeInBytes, estimatedTokens } = size;
  const figures = { path, sizeInBytes, estimatedTokens };
  if (refusal !== undefined) return { ...figures, ...refusal, ...(text !== undefined && { tokens }) };
  const { content, truncated } = text as TextRead;
  const cut = `The file has grown while it was read; these are its first ${sizeInBytes} bytes.`;
  const said = [notice, truncated ? cut : undefined].filter((one) => one !== undefined).join(' ');
  return { ...figures, status: 'read', content, tokens, ...(said !== '' && { notice: said }) };
}

/** Returns each different path once, compared by its absolute form, as it was first given. */
function uniquePaths(paths: readonly string[], folder: string): ReadonlyMap<string, string> {
  const unique = new Map<string, string>();
  for (const path of paths) {
    const absolute = resolve(folder, path);
    if (!unique.has(absolute)) unique.set(absolute, path);
  }
  return unique;
}

/** If the tokenizer can't be loaded, the counter's own estimates are used. */
async function counterOf(counter: TokenCounter | undefined): Promise<(text: string) => number> {
  if (counter === undefined) return estimateTokens;
  await counter.load?.().catch(() => undefined);
  return (text) => counter.count(text);
}
