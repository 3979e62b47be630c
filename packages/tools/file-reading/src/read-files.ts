import { constants } from 'node:buffer';
import { resolve } from 'node:path';
import { CtxError, type contextBudget, estimateTokens, type TokenCounter } from '@ctx/core';
import {
  type Base,
  type FileProblem,
  type FileSystem,
  fileProblem,
  fill,
  isProblem,
  type LocatedFile,
  locate,
  nodeFileSystem,
  problemOf,
  withFile,
} from '@ctx/strategy-file-folding/folder-reader';
import * as z from 'zod';
import { type Candidate, recommended, type Verdicts, withinLimits, withRoom } from './budget.js';
import {
  type FileReadingLimits,
  fileReadingLimits,
  getFileReadingLimitsForModel,
  invalidOption,
  type LimitOverrides,
  parseOption,
  withSafetyBuffer,
} from './limits.js';
import {
  type FileReadResult,
  failedResult,
  type OnRejected,
  type ReadReport,
  readResult,
  refusedResult,
  reportOf,
} from './read-report.js';
import { type BatchContext, type FileSizeInfo, fileSizeInfo } from './size-check.js';

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
  contextWindow: z.number().positive().optional(),
  limits: z.custom<LimitOverrides>().optional(),
  safetyBuffer: z.number().min(0).lt(1).optional(),
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

/** A file whose size is known. */
interface FoundFile extends Candidate {
  readonly located: LocatedFile;
  readonly size: FileSizeInfo;
}

/** A file in memory; size and tokens are those of the text that was read. */
interface LoadedFile extends FoundFile {
  readonly content: string;
  readonly truncated: boolean;
}

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
  const {
    fileSystem = nodeFileSystem,
    signal,
    counter,
    ...settings
  } = parseOption('options', optionsSchema, options);
  const given = parseOption('paths', pathsSchema, paths as string[]);
  const access = { fileSystem, signal };
  const budget = settings.manager?.budget();
  const contextWindow = settings.contextWindow ?? budget?.contextWindow;
  const limits = limitsFor(contextWindow, settings);
  throwIfAborted(signal);
  const base = await baseOf(settings.root, fileSystem);

  const results = new Map<string, FileReadResult>();
  const fail = (path: string, problem: FileProblem, size?: FileSizeInfo) =>
    results.set(path, failedResult(path, problem, size));
  const notices: string[] = [];
  const verdicts: Verdicts<FoundFile> & BatchContext = {
    refuse: (file, refusal) => results.set(file.path, refusedResult(file, refusal)),
    notice: (text) => notices.push(text),
    contextWindow,
    usagePercent: budget?.usagePercent,
  };

  const unique = uniquePaths(given, base.folder);
  const found: FoundFile[] = [];
  for (const [absolute, path] of unique) {
    throwIfAborted(signal);
    const located = await locate(absolute, base, fileSystem);
    if (isProblem(located)) {
      fail(path, located);
      continue;
    }
    const size = fileSizeInfo(located.stat.size);
    found.push({ path, located, size, ...size });
  }

  // What is estimated of all is said when it is known.
  const small = withinLimits(found, limits, { ...verdicts, notice: () => {} });
  const { files: allowed, recommendation } =
    budget === undefined ? { files: small } : recommended(small, budget, verdicts);

  const countTokens = await counterOf(counter);
  const loaded: LoadedFile[] = [];
  for (const file of allowed) {
    const text = await readText(file.located, access);
    if (isProblem(text)) {
      fail(file.path, text, file.size);
      continue;
    }
    const { sizeInMB } = fileSizeInfo(text.sizeInBytes);
    const lines = linesOf(text.content);
    loaded.push({ ...file, ...text, sizeInMB, lines, estimatedTokens: countTokens(text.content) });
  }
  const stillSmall = withinLimits(loaded, limits, verdicts);
  for (const file of budget === undefined ? stillSmall : withRoom(stillSmall, budget, verdicts))
    results.set(file.path, readResult(file));

  return reportOf(
    [...unique.values()].map((path) => results.get(path) as FileReadResult),
    {
      notices,
      recommendation,
      estimated: counter === undefined || counter.loaded === false,
      onRejected: settings.onRejected,
    },
  );
}

function limitsFor(
  contextWindow: number | undefined,
  { limits, safetyBuffer = 0 }: Pick<ReadFilesOptions, 'limits' | 'safetyBuffer'>,
): FileReadingLimits {
  const basis =
    contextWindow === undefined
      ? fileReadingLimits(limits)
      : getFileReadingLimitsForModel(contextWindow, limits);
  return withSafetyBuffer(basis, safetyBuffer);
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

/** The most bytes that are read of a binary file. */
const headBytes = 8192;
const pieceBytes = 1_048_576;

interface ReadAccess {
  readonly fileSystem: FileSystem;
  readonly signal?: AbortSignal | undefined;
}

interface TextRead {
  readonly content: string;
  /** At most the size that the file had when it was checked. */
  readonly sizeInBytes: number;
  /** True if the file has grown since; the rest was not read. */
  readonly truncated: boolean;
}

/**
 * Reads a file as text, and no more of it than the size that was checked. For a file of size 0 it asks for one byte, because some files
 * that the kernel generates are not empty.
 * @throws CtxError `aborted`
 */
async function readText(file: LocatedFile, access: ReadAccess): Promise<TextRead | FileProblem> {
  if (file.stat.size > constants.MAX_STRING_LENGTH) {
    return fileProblem('io', 'The file is larger than the longest text that Node can hold.');
  }
  return withFile(file, access, async (open) => {
    const decoder = new TextDecoder('utf-8', { fatal: true });
    const bytes = new Uint8Array(file.stat.size);
    let length = await fill(open, bytes, 0, Math.min(headBytes, bytes.length));
    if (bytes.subarray(0, length).includes(0)) return fileProblem('binary');
    for (let end = length; length === end && end < bytes.length; ) {
      throwIfAborted(access.signal);
      end = Math.min(bytes.length, end + pieceBytes);
      length = await fill(open, bytes, length, end);
    }
    if (bytes.length === 0 && (await fill(open, new Uint8Array(1), 0, 1)) > 0) return fileProblem('changed');
    const truncated = (await open.stat()).size > bytes.length;
    try {
      const content = decoder.decode(bytes.subarray(0, length), { stream: truncated });
      return { content, sizeInBytes: length, truncated };
    } catch {
      return fileProblem('not-text');
    }
  }).catch((error: unknown) => {
    throwIfAborted(access.signal);
    throw error;
  });
}

/** How many lines a text has. */
function linesOf(text: string): number {
  let breaks = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) breaks += 1;
  return breaks + (text === '' || text.endsWith('\n') ? 0 : 1);
}

/** @throws CtxError `aborted` */
function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted !== true) return;
  throw new CtxError({
    code: 'aborted',
    problem: 'The caller aborted the work',
    remedy: 'Nothing was changed; call again when it should run.',
    cause: signal.reason,
  });
}
