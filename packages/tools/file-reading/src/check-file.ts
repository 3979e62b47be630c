import { type FileProblem, type FileSystem, isProblem, nodeFileSystem } from '@ctx/folder-reader';
import { chunkAdvice, sizeAdvice } from './chunk-advice.js';
import { smallestWithin } from './context-budget.js';
import { type FileSizeInfo, getFileSizeInfo } from './file-size.js';
import { defaultFileReadingLimits, type FileReadingLimits } from './limits.js';

/** Which limit was exceeded. */
export type RefusalReason = 'file-size' | 'file-tokens' | 'batch-size' | 'batch-tokens';

export type SizeCheck<Reason extends string = RefusalReason> =
  | {
      readonly status: 'approved';
      /** What to tell the model, in one line. */
      readonly notice?: string;
    }
  | {
      readonly status: 'blocked';
      readonly reason: Reason;
      /** What to tell the model, in one line. */
      readonly error: string;
      /** The same at length, with what to do instead. */
      readonly detail: string;
    };

/** A file to be checked. Its number of lines only improves the advice. */
export interface SizedFile {
  readonly path: string;
  readonly sizeInMB: number;
  readonly estimatedTokens: number;
  readonly lines?: number | undefined;
}

/** Checks one file: megabytes, then tokens, then whether it deserves a notice. A size that is not a number counts as over the limit. */
export function checkFileSize(
  file: SizedFile,
  limits: FileReadingLimits = defaultFileReadingLimits,
): SizeCheck<'file-size' | 'file-tokens'> {
  const { sizeInMB, estimatedTokens } = file;
  const { singleFileMaxMB, singleFileMaxTokens, warningThresholdTokens } = limits;
  if (!(sizeInMB <= singleFileMaxMB)) {
    const error = `File too large: ${sizeInMB.toFixed(2)}MB (max ${singleFileMaxMB}MB). Please use line_range to read specific sections.`;
    return over('file-size', error, sizeAdvice(file, limits), limits);
  }
  if (!(estimatedTokens <= singleFileMaxTokens)) {
    const error = `File has too many tokens: ~${estimatedTokens} (max ${singleFileMaxTokens}). Please use line_range to read specific sections.`;
    return over('file-tokens', error, chunkAdvice(file, singleFileMaxTokens), limits);
  }
  if (estimatedTokens > warningThresholdTokens) {
    const notice = `Large file: ~${estimatedTokens} tokens. This will consume significant context.`;
    return { status: 'approved', notice };
  }
  return { status: 'approved' };
}

/** Checks a file on disk by its size, without opening it. */
export async function checkFile(
  path: string,
  limits: FileReadingLimits = defaultFileReadingLimits,
  fileSystem: Pick<FileSystem, 'stat'> = nodeFileSystem,
): Promise<
  (SizeCheck<'file-size' | 'file-tokens'> & FileSizeInfo) | ({ readonly status: 'failed' } & FileProblem)
> {
  const size = await getFileSizeInfo(path, fileSystem);
  if (isProblem(size)) return { status: 'failed', ...size };
  return { ...size, ...checkFileSize({ path, ...size }, limits) };
}

/** The context that several files are to be read into. */
export interface BatchContext {
  /** In tokens. If missing, the notice does not say what share of the window the files take. */
  readonly contextWindow?: number | undefined;
  /** 0–100. If missing, the detail does not mention it. */
  readonly usagePercent?: number | undefined;
}

/**
 * Checks files that are to be read together and are each within their own limits. If they exceed a limit together, all of them are
 * refused.
 */
export function checkBatch(
  files: readonly SizedFile[],
  limits: FileReadingLimits = defaultFileReadingLimits,
  context: BatchContext = {},
): SizeCheck<'batch-size' | 'batch-tokens'> {
  if (files.length < 2) return { status: 'approved' };
  const sizeInMB = files.reduce((sum, file) => sum + file.sizeInMB, 0);
  const tokens = files.reduce((sum, file) => sum + file.estimatedTokens, 0);
  const { batchTotalMaxMB, batchTotalMaxTokens, warningThresholdTokens } = limits;
  if (!(sizeInMB <= batchTotalMaxMB)) {
    const error = `Batch read too large: ${sizeInMB.toFixed(2)}MB total (max ${batchTotalMaxMB}MB). Please reduce the number of files or use line_range.`;
    const detail = batchAdvice(files.length, context, {
      total: `${sizeInMB.toFixed(2)}MB`,
      limit: `${batchTotalMaxMB}MB`,
      fitting: smallestWithin(files, batchTotalMaxMB, (file) => file.sizeInMB).length,
    });
    return over('batch-size', error, detail, limits);
  }
  if (!(tokens <= batchTotalMaxTokens)) {
    const error = `Batch read has too many tokens: ~${tokens} total (max ${batchTotalMaxTokens}). Please reduce the number of files.`;
    const detail = batchAdvice(files.length, context, {
      total: `${tokens} tokens`,
      limit: `${batchTotalMaxTokens} tokens`,
      fitting: smallestWithin(files, batchTotalMaxTokens, (file) => file.estimatedTokens).length,
    });
    return over('batch-tokens', error, detail, limits);
  }
  if (tokens > 2 * warningThresholdTokens) {
    const warning = `Warning: Batch read will consume ~${tokens} tokens (${sizeInMB.toFixed(2)}MB).`;
    const { contextWindow } = context;
    if (contextWindow === undefined) return { status: 'approved', notice: warning };
    const share = ((100 * tokens) / contextWindow).toFixed(1);
    return { status: 'approved', notice: `${warning} This is ${share}% of your context window.` };
  }
  return { status: 'approved' };
}

function over<Reason extends RefusalReason>(
  reason: Reason,
  error: string,
  detail: string,
  { enableStrictMode }: FileReadingLimits,
): SizeCheck<Reason> {
  if (!enableStrictMode) return { status: 'approved', notice: error };
  return { status: 'blocked', reason, error, detail };
}

function batchAdvice(
  count: number,
  { usagePercent }: BatchContext,
  { total, limit, fitting }: { readonly total: string; readonly limit: string; readonly fitting: number },
): string {
  const usage = usagePercent === undefined ? '' : `\nCurrent context usage: ${usagePercent.toFixed(1)}%`;
  return `Batch read exceeds context limits

Total: ${total} from ${count} files
Limit: ${limit}${usage}

Suggestions:
1. Read fewer files at a time${fitting === 0 ? '' : ` (max ${fitting} files)`}
2. Use line_range for large files
3. Use search_files to find specific content first

Alternative: Read files one by one with the most critical files first.`;
}
