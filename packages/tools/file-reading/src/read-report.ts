import type { FileReadingRecommendation } from './context-budget.js';
import { fileSizeInfo } from './file-size.js';
import type { ReadFilesOptions } from './read-options.js';
import type { FileReadResult, RefusedFile } from './read-result.js';
import { filesText, filesXml } from './render.js';

/** The outcomes of reads, under the names that dashboards use. */
interface ReadCounts {
  /** Files that were refused for any reason, without those that are missing or can't be read. */
  readonly file_read_rejected_count: number;
  /** Files that were read with a notice. */
  readonly file_read_warned_count: number;
  /** Calls in which the files together exceeded a limit. */
  readonly batch_read_rejected_count: number;
  readonly file_read_count: number;
  /** Average tokens of a file that was read. */
  readonly avg_file_tokens: number;
  /** The most tokens that the files of one call had together. */
  readonly max_file_tokens_per_read: number;
}

interface ReadTotals {
  readonly read: number;
  readonly blocked: number;
  readonly failed: number;
  /** Of the files that were read, as checked before reading. */
  readonly bytes: number;
  readonly tokens: number;
  /** False if a counter counted the tokens. */
  readonly estimated: boolean;
}

export interface ReadReport {
  /** One for each different path, in the order in which they were first given. */
  readonly files: readonly FileReadResult[];
  /** Notices for the model about all files that were read. */
  readonly notices: readonly string[];
  /** What the budget says about the files within the limits; missing without a manager. */
  readonly recommendation?: FileReadingRecommendation;
  readonly totals: ReadTotals;
  /** Counts of this call. */
  readonly reads: ReadCounts;
  /** The files as XML. */
  toXml(): string;
  /** The files as plain text, each under its path. */
  toText(): string;
}

interface Decisions {
  readonly notices: readonly string[];
  readonly recommendation: FileReadingRecommendation | undefined;
  readonly estimated: boolean;
  readonly onRejected: ReadFilesOptions['onRejected'];
}

export function reportOf(
  files: readonly FileReadResult[],
  { notices, recommendation, estimated, onRejected }: Decisions,
): ReadReport {
  const read = files.filter((file) => file.status === 'read');
  const blocked = files.filter((file): file is RefusedFile => file.status === 'blocked');
  const tokens = read.reduce((sum, file) => sum + file.tokens, 0);
  for (const file of blocked) tellRejected(file, onRejected);
  return {
    files,
    notices,
    ...(recommendation !== undefined && { recommendation }),
    totals: {
      read: read.length,
      blocked: blocked.length,
      failed: files.length - read.length - blocked.length,
      bytes: read.reduce((sum, file) => sum + file.sizeInBytes, 0),
      tokens,
      estimated,
    },
    reads: {
      file_read_rejected_count: blocked.length,
      file_read_warned_count: read.filter((file) => file.notice !== undefined).length,
      batch_read_rejected_count: blocked.some((file) => file.reason.startsWith('batch-')) ? 1 : 0,
      file_read_count: read.length,
      avg_file_tokens: read.length === 0 ? 0 : tokens / read.length,
      max_file_tokens_per_read: tokens,
    },
    toXml: () => filesXml(files, notices),
    toText: () => filesText(files, notices),
  };
}

function tellRejected(file: RefusedFile, onRejected: ReadFilesOptions['onRejected']): void {
  const { sizeInMB } = fileSizeInfo(file.sizeInBytes);
  try {
    onRejected?.(file.path, sizeInMB, file.tokens ?? file.estimatedTokens, file.reason);
  } catch {
    // A failing listener must not prevent reading.
  }
}
