import { constants } from 'node:buffer';
import { CtxError } from '@ctx/core';
import {
  type FileProblem,
  type FileSystem,
  fileProblem,
  fill,
  type LocatedFile,
  type OpenFile,
  withFile,
} from '@ctx/folder-reader';

/** The most bytes that are read of a binary file. */
const headBytes = 8192;
const pieceBytes = 1_048_576;

export interface ReadAccess {
  readonly fileSystem: FileSystem;
  readonly signal?: AbortSignal | undefined;
}

export interface TextRead {
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
export async function readText(
  file: LocatedFile,
  encoding: string,
  access: ReadAccess,
): Promise<TextRead | FileProblem> {
  if (file.stat.size > constants.MAX_STRING_LENGTH) {
    return fileProblem('io', 'The file is larger than the longest text that Node can hold.');
  }
  return opened(file, access, async (open) => {
    const decoder = new TextDecoder(encoding, { fatal: true });
    const bytes = new Uint8Array(file.stat.size);
    let length = await fill(open, bytes, 0, Math.min(headBytes, bytes.length));
    if (!decoder.encoding.startsWith('utf-16') && bytes.subarray(0, length).includes(0)) {
      return fileProblem('binary');
    }
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
  });
}

/**
 * How many lines a file has, the last one with or without a line break. Reads the file in small pieces and never holds it as a whole.
 * Undefined if it can't be read.
 * @throws CtxError `aborted`
 */
export async function countLines(file: LocatedFile, access: ReadAccess): Promise<number | undefined> {
  const lines = await opened(file, access, async (open) => {
    const piece = new Uint8Array(65_536);
    let breaks = 0;
    let last = 0x0a;
    for (let position = 0; ; ) {
      throwIfAborted(access.signal);
      const { bytesRead } = await open.read(piece, 0, piece.length, position);
      if (bytesRead === 0) return { breaks, last };
      for (let at = piece.indexOf(0x0a); at >= 0 && at < bytesRead; at = piece.indexOf(0x0a, at + 1)) {
        breaks += 1;
      }
      last = piece[bytesRead - 1] as number;
      position += bytesRead;
      if (position >= file.stat.size) return { breaks, last };
    }
  });
  return 'problem' in lines ? undefined : lines.breaks + (lines.last === 0x0a ? 0 : 1);
}

/** How many lines a text has. */
export function linesOf(text: string): number {
  let breaks = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) breaks += 1;
  return breaks + (text === '' || text.endsWith('\n') ? 0 : 1);
}

/** As `withFile`, but an abort is a CtxError. */
async function opened<Result extends object>(
  file: LocatedFile,
  access: ReadAccess,
  use: (open: OpenFile) => Promise<Result>,
): Promise<Result | FileProblem> {
  try {
    return await withFile(file, access, use);
  } catch (error) {
    throwIfAborted(access.signal);
    throw error;
  }
}

/** @throws CtxError `aborted` */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted !== true) return;
  throw new CtxError({
    code: 'aborted',
    problem: 'The caller aborted the work',
    remedy: 'Nothing was changed; call again when it should run.',
    cause: signal.reason,
  });
}
