import type { FileReadingRecommendation } from './budget.js';
import { escapeXml, fileSizeInfo, type Refusal, unwritable } from './size-check.js';

/** Called with each refused file. Errors that it throws are ignored. */
export type OnRejected = (path: string, sizeInMB: number, tokens: number, reason: string) => void;

interface FileResult {
  /** As it was given. */
  readonly path: string;
  /** Size when it was checked; 0 if the file was not found. */
  readonly sizeInBytes: number;
  /** Estimated from that size, without looking into the file. */
  readonly estimatedTokens: number;
}

interface ReadFile extends FileResult {
  readonly status: 'read';
  readonly content: string;
  /** Tokens of the content; an estimate unless a counter was given. */
  readonly tokens: number;
  /** Says that the file is large, or was cut because it has grown. */
  readonly notice?: string;
}

interface RefusedFile extends FileResult, Refusal {
  /** Present if the file was read and its text turned out to have too many tokens. */
  readonly tokens?: number;
}

export type FileReadResult = ReadFile | RefusedFile;

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
}

interface Decisions {
  readonly notices: readonly string[];
  readonly recommendation: FileReadingRecommendation | undefined;
  readonly estimated: boolean;
  readonly onRejected: OnRejected | undefined;
}

export function reportOf(
  files: readonly FileReadResult[],
  { notices, recommendation, estimated, onRejected }: Decisions,
): ReadReport {
  const read = files.filter((file) => file.status === 'read');
  const blocked = files.filter((file): file is RefusedFile => file.status === 'blocked');
  const tokens = read.reduce((sum, file) => sum + file.tokens, 0);
  for (const file of blocked) {
    try {
      onRejected?.(
        file.path,
        fileSizeInfo(file.sizeInBytes).sizeInMB,
        file.tokens ?? file.estimatedTokens,
        file.reason,
      );
    } catch {
      // A failing listener must not prevent reading.
    }
  }
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
  };
}

/** The parts of a result that are shown. */
interface Rendered {
  readonly path: string;
  readonly content?: string;
  readonly error?: string;
  readonly notice?: string;
}

/** A file as XML; the content is in a CDATA section, so that code stays readable. */
export function fileXml({ path, content, error, notice }: Rendered): string {
  const inner = [
    `<path>${escapeXml(path)}</path>`,
    error === undefined ? '' : `<error>${escapeXml(error)}</error>`,
    notice === undefined ? '' : `<notice>${escapeXml(notice)}</notice>`,
    content === undefined ? '' : `<content>${cdata(content)}</content>`,
  ];
  return `<file>${inner.join('')}</file>`;
}

/** Files as XML, after the notices that concern them all. */
export function filesXml(files: readonly Rendered[], notices: readonly string[] = []): string {
  const shared = notices.map((notice) => `<notice>${escapeXml(notice)}</notice>`);
  return ['<files>', ...shared, ...files.map(fileXml), '</files>'].join('\n');
}

function cdata(text: string): string {
  const written = text.replace(unwritable, '\ufffd').replaceAll(']]>', ']]]]><![CDATA[>');
  return `<![CDATA[${written}]]>`;
}
