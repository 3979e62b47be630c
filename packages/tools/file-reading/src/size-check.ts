import {
  type FileProblem,
  type FileProblemReason,
  type FileSystem,
  isProblem,
  kindProblem,
  nodeFileSystem,
  problemOf,
} from '@ctx/strategy-file-folding/folder-reader';
import { defaultFileReadingLimits, type FileReadingLimits } from './limits.js';

/** 2 to the power of 20, as file managers count. */
const bytesPerMB = 1_048_576;
/** Bytes per token of English text and code. A file is not opened to find out what it holds. */
const bytesPerToken = 4;

export interface FileSizeInfo {
  readonly sizeInBytes: number;
  /** Megabytes of 1,048,576 bytes. */
  readonly sizeInMB: number;
  /** A quarter of the bytes. */
  readonly estimatedTokens: number;
  readonly isEstimate: true;
}

/** The figures for a size in bytes. */
export function fileSizeInfo(sizeInBytes: number): FileSizeInfo {
  return {
    sizeInBytes,
    sizeInMB: sizeInBytes / bytesPerMB,
    estimatedTokens: Math.ceil(sizeInBytes / bytesPerToken),
    isEstimate: true,
  };
}

/**
 * The size of a file, as the system reports it, without opening the file. Follows links. For anything but a regular file it returns a
 * problem; it never throws.
 */
export async function getFileSizeInfo(
  path: string,
  fileSystem: Pick<FileSystem, 'stat'> = nodeFileSystem,
): Promise<FileSizeInfo | FileProblem> {
  try {
    const stat = await fileSystem.stat(path);
    return kindProblem(stat) ?? fileSizeInfo(stat.size);
  } catch (error) {
    return problemOf(error);
  }
}

/** Why a file may not be read (`blocked`), or can't be (`failed`). */
export interface Refusal {
  readonly status: 'blocked' | 'failed';
  readonly reason: LimitReason | FileProblemReason | 'context';
  /** What to tell the model, in one line. */
  readonly error: string;
  /** The same at length, with what to do instead. */
  readonly detail?: string;
}

/** Which limit was exceeded. */
type LimitReason = 'file-size' | 'file-tokens' | 'batch-size' | 'batch-tokens';

type SizeCheck =
  | {
      readonly status: 'approved';
      /** What to tell the model, in one line. */
      readonly notice?: string;
    }
  | (Refusal & { readonly status: 'blocked'; readonly reason: LimitReason; readonly detail: string });

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
): SizeCheck {
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
): Promise<(SizeCheck & FileSizeInfo) | ({ readonly status: 'failed' } & FileProblem)> {
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
): SizeCheck {
  if (files.length < 2) return { status: 'approved' };
  const sizeInMB = files.reduce((sum, file) => sum + file.sizeInMB, 0);
  const tokens = files.reduce((sum, file) => sum + file.estimatedTokens, 0);
  const { batchTotalMaxMB, batchTotalMaxTokens, warningThresholdTokens } = limits;
  if (!(sizeInMB <= batchTotalMaxMB)) {
    const total = `${sizeInMB.toFixed(2)}MB`;
    const error = `Batch read too large: ${total} total (max ${batchTotalMaxMB}MB). Please reduce the number of files or use line_range.`;
    const fitting = smallestWithin(files, batchTotalMaxMB, (file) => file.sizeInMB).length;
    return over(
      'batch-size',
      error,
      batchAdvice(files, context, total, `${batchTotalMaxMB}MB`, fitting),
      limits,
    );
  }
  if (!(tokens <= batchTotalMaxTokens)) {
    const error = `Batch read has too many tokens: ~${tokens} total (max ${batchTotalMaxTokens}). Please reduce the number of files.`;
    const fitting = smallestWithin(files, batchTotalMaxTokens, (file) => file.estimatedTokens).length;
    const detail = batchAdvice(files, context, `${tokens} tokens`, `${batchTotalMaxTokens} tokens`, fitting);
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

function over(
  reason: LimitReason,
  error: string,
  detail: string,
  { enableStrictMode }: FileReadingLimits,
): SizeCheck {
  if (!enableStrictMode) return { status: 'approved', notice: error };
  return { status: 'blocked', reason, error, detail };
}

function batchAdvice(
  { length: count }: readonly SizedFile[],
  { usagePercent }: BatchContext,
  total: string,
  limit: string,
  fitting: number,
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

/** The known facts about a file that is too large; `lines` only if they were counted. */
type LargeFile = Pick<SizedFile, 'estimatedTokens' | 'lines'>;

/** Number of lines that have about `maxTokens` tokens; 0 if a single line has more. Undefined if the number of lines is unknown. */
export function chunkLines({ estimatedTokens, lines }: LargeFile, maxTokens: number): number | undefined {
  if (lines === undefined) return undefined;
  const share = maxTokens / estimatedTokens;
  return share < 1 ? Math.floor(share * lines) : lines;
}

/** How to read a file that has too many tokens, as the text of a tool result. */
export function chunkAdvice(file: LargeFile, maxTokens: number): string {
  const { estimatedTokens, lines } = file;
  return [
    `File has too many tokens: ~${estimatedTokens} (max ${maxTokens}).`,
    `Suggestions:\n${rangeAdvice(chunkLines(file, maxTokens), maxTokens)}`,
    '2. Or search for specific content using search_files tool instead',
    ...(lines === undefined ? [] : [`Total lines in file: ${lines}`]),
  ].join('\n\n');
}

function rangeAdvice(chunk: number | undefined, maxTokens: number): string {
  if (chunk === 0) return sliceAdvice(maxTokens);
  if (chunk === undefined) return '1. Read specific sections using line_range';
  return `1. Read specific sections using line_range:
   - First ${chunk} lines: <line_range>1-${chunk}</line_range>
   - Middle section: <line_range>${chunk + 1}-${chunk * 2}</line_range>`;
}

/** The advice if a single line is too long. It assumes three characters per token, because minified code has more tokens than prose. */
function sliceAdvice(maxTokens: number): string {
  const slice = Math.max(1, Math.floor(maxTokens * 3));
  return `1. Its lines are too long for line_range. Read slices of at most ${slice} characters instead:
   - First slice: characters 1-${slice}
   - Second slice: characters ${slice + 1}-${slice * 2}`;
}

/** How to read a file that is too large in bytes. Unknown facts are skipped. */
function sizeAdvice({ path, sizeInMB, ...file }: SizedFile, limits: FileReadingLimits): string {
  const chunk = chunkLines(file, limits.singleFileMaxTokens);
  const ranges = `1. Use line_range to read specific sections:
   <read_file>
     <args>
       <file>
         <path>${escapeXml(path)}</path>
         <line_range>1-${Math.min(500, chunk ?? 500)}</line_range>
       </file>
     </args>
   </read_file>`;
  const info = [
    ...(file.lines === undefined ? [] : [`- Total lines: ${file.lines}`]),
    `- Estimated tokens: ~${file.estimatedTokens}`,
    ...(chunk === undefined || chunk === 0 ? [] : [`- Suggested chunk size: ${chunk} lines per read`]),
  ];
  return `File too large: ${sizeInMB.toFixed(2)}MB (max ${limits.singleFileMaxMB}MB)

This file exceeds the maximum allowed size for reading. To read this file:

${chunk === 0 ? sliceAdvice(limits.singleFileMaxTokens) : ranges}

2. Or use search_files to find specific content

File info:
${info.join('\n')}`;
}

/** The smallest items, as many as fit into a limit, in their given order. */
export function smallestWithin<Item>(
  items: readonly Item[],
  limit: number,
  sizeOf: (item: Item) => number,
): readonly Item[] {
  const taken = new Set<number>();
  let total = 0;
  const order = items.map((item, index) => ({ size: sizeOf(item), index }));
  for (const { size, index } of order.sort((a, b) => a.size - b.size || a.index - b.index)) {
    if (!(total + size <= limit)) break;
    total += size;
    taken.add(index);
  }
  return items.filter((_item, index) => taken.has(index));
}

/** Characters that XML 1.0 can't hold. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are the characters to find
export const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff\p{Surrogate}]/gu;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** A text as the content of an XML element. */
export function escapeXml(text: string): string {
  return text.replace(unwritable, '\ufffd').replace(/[&<>]/g, (character) => entities[character] as string);
}
