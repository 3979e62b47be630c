import { resolve } from 'node:path';
import { estimateTokens, type TokenCounter } from '@ctx/core';
import {
  type Base,
  type FileProblem,
  type FileSystem,
  isProblem,
  type LocatedFile,
  locate,
  nodeFileSystem,
  problemOf,
} from '@ctx/folder-reader';
import { checkFileSize } from './check-file.js';
import { type FileSizeInfo, fileSizeInfo } from './file-size.js';
import { type Candidate, type Judgement, judgeRemaining, judgeRoom, judgeSizes } from './judgement.js';
import {
  type FileReadingLimits,
  fileReadingLimits,
  getFileReadingLimitsForModel,
  withSafetyBuffer,
} from './limits.js';
import { invalidOption } from './parse-option.js';
import { parsePaths, parseReadOptions, type ReadFilesOptions } from './read-options.js';
import { type ReadReport, reportOf } from './read-report.js';
import { type FileReadResult, failedResult, readResult, refusedResult } from './read-result.js';
import { countLines, linesOf, type ReadAccess, readText, throwIfAborted } from './read-text.js';

/** Runs a task for each item, at most `limit` at a time; results in the order of the items. */
async function inParallel<Item, Result>(
  items: readonly Item[],
  limit: number,
  task: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = new Array(items.length);
  let next = 0;
  const work = async () => {
    for (let index = next++; index < items.length; index = next++) {
      results[index] = await task(items[index] as Item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work));
  return results;
}

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
    concurrency,
    signal,
    counter,
    ...settings
  } = parseReadOptions(options);
  const given = parsePaths(paths);
  const access = { fileSystem, signal };
  const budget = settings.manager?.budget();
  const contextWindow = settings.contextWindow ?? budget?.contextWindow;
  const context = { contextWindow, usagePercent: budget?.usagePercent };
  const limits = limitsFor(contextWindow, settings);
  throwIfAborted(signal);
  const base = await baseOf(settings.root, fileSystem);

  const results = new Map<string, FileReadResult>();
  const fail = (path: string, problem: FileProblem, size?: FileSizeInfo) =>
    results.set(path, failedResult(path, problem, size));
  const approvedOf = <File extends FoundFile>({ approved, refused }: Judgement<File>): readonly File[] => {
    for (const [file, refusal] of refused) results.set(file.path, refusedResult(file, refusal));
    return approved;
  };

  const unique = uniquePaths(given, base.folder);
  const found: FoundFile[] = [];
  const locations = await inParallel([...unique], concurrency, async ([absolute, path]) => {
    throwIfAborted(signal);
    return [path, await locate(absolute, base, fileSystem)] as const;
  });
  for (const [path, located] of locations) {
    if (isProblem(located)) fail(path, located);
    else found.push(foundFile(path, located));
  }

  const sized = settings.countLines
    ? await inParallel(found, concurrency, (file) => withLines(file, limits, access))
    : found;
  const small = approvedOf(judgeSizes(sized, limits, context));
  const remaining = budget === undefined ? undefined : judgeRemaining(small, budget);
  const allowed = remaining === undefined ? small : approvedOf(remaining);

  const countTokens = await counterOf(counter);
  const loaded: LoadedFile[] = [];
  const texts = await inParallel(allowed, concurrency, async (file) => {
    const text = await readText(file.located, settings.encoding, access);
    return [file, text] as const;
  });
  for (const [file, text] of texts) {
    if (isProblem(text)) {
      fail(file.path, text, file.size);
      continue;
    }
    const { sizeInMB } = fileSizeInfo(text.sizeInBytes);
    const lines = linesOf(text.content);
    loaded.push({ ...file, ...text, sizeInMB, lines, estimatedTokens: countTokens(text.content) });
  }
  const stillSmall = judgeSizes(loaded, limits, context);
  const room = budget === undefined ? undefined : judgeRoom(approvedOf(stillSmall), budget);
  for (const file of approvedOf(room ?? stillSmall)) results.set(file.path, readResult(file));

  return reportOf(
    [...unique.values()].map((path) => results.get(path) as FileReadResult),
    {
      notices: [...stillSmall.notices, ...(remaining?.notices ?? []), ...(room?.notices ?? [])],
      recommendation: remaining?.recommendation,
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

function foundFile(path: string, located: LocatedFile): FoundFile {
  const size = fileSizeInfo(located.stat.size);
  const { sizeInMB, estimatedTokens } = size;
  return { path, located, size, sizeInMB, estimatedTokens };
}

async function withLines(file: FoundFile, limits: FileReadingLimits, access: ReadAccess): Promise<FoundFile> {
  if (checkFileSize(file, limits).status !== 'blocked') return file;
  return { ...file, lines: await countLines(file.located, access) };
}

/** If the tokenizer can't be loaded, the counter's own estimates are used. */
async function counterOf(counter: TokenCounter | undefined): Promise<(text: string) => number> {
  if (counter === undefined) return estimateTokens;
  await counter.load?.().catch(() => undefined);
  return (text) => counter.count(text);
}
