import type { FileProblem, FileProblemReason } from '@ctx/folder-reader';
import type { RefusalReason } from './check-file.js';
import { type FileSizeInfo, fileSizeInfo } from './file-size.js';

interface FileResult {
  /** As it was given. */
  readonly path: string;
  /** Size when it was checked; 0 if the file was not found. */
  readonly sizeInBytes: number;
  /** Estimated from that size, without looking into the file. */
  readonly estimatedTokens: number;
}

export interface ReadFile extends FileResult {
  readonly status: 'read';
  readonly content: string;
  /** Tokens of the content; an estimate unless a counter was given. */
  readonly tokens: number;
  /** Says that the file is large, or was cut because it has grown. */
  readonly notice?: string;
}

/** Why a file may not be read, or can't be. */
export interface Refusal {
  readonly reason: RefusalReason | FileProblemReason | 'context';
  /** What to tell the model. */
  readonly error: string;
  /** The same at length, with what to do instead. */
  readonly detail?: string;
}

export interface RefusedFile extends FileResult, Refusal {
  /** `blocked`: it is refused; `failed`: it can't be read. */
  readonly status: 'blocked' | 'failed';
  /** Present if the file was read and its text turned out to have too many tokens. */
  readonly tokens?: number;
}

export type FileReadResult = ReadFile | RefusedFile;

interface Decided {
  readonly path: string;
  readonly size: FileSizeInfo;
  readonly estimatedTokens: number;
  readonly content?: string;
}

export function readResult(
  file: Decided & {
    readonly content: string;
    readonly truncated: boolean;
    readonly notice?: string | undefined;
  },
): ReadFile {
  const cut = file.truncated
    ? `The file has grown while it was read; these are its first ${file.size.sizeInBytes} bytes.`
    : undefined;
  const notice = [file.notice, cut].filter((one) => one !== undefined).join(' ');
  return {
    ...figures(file.path, file.size),
    status: 'read',
    content: file.content,
    tokens: file.estimatedTokens,
    ...(notice !== '' && { notice }),
  };
}

export function refusedResult(file: Decided, { reason, error, detail }: Refusal): RefusedFile {
  return {
    ...figures(file.path, file.size),
    status: 'blocked',
    reason,
    error,
    ...(detail !== undefined && { detail }),
    ...(file.content !== undefined && { tokens: file.estimatedTokens }),
  };
}

/** Reasons for refusing a file that the system would let us read. */
const refusals: ReadonlySet<FileProblemReason> = new Set(['outside-root', 'binary', 'not-text']);

export function failedResult(
  path: string,
  { problem, error }: FileProblem,
  size: FileSizeInfo = fileSizeInfo(0),
): RefusedFile {
  const status = refusals.has(problem) ? 'blocked' : 'failed';
  return { ...figures(path, size), status, reason: problem, error };
}

function figures(path: string, { sizeInBytes, estimatedTokens }: FileSizeInfo): FileResult {
  return { path, sizeInBytes, estimatedTokens };
}
