import { constants } from 'node:buffer';
import { CtxError } from '@ctx/core';
import {
  type FileProblem,
  fileProblem,
  fill,
  type LocatedFile,
  withFile,
} from '@ctx/strategy-file-folding/folder-reader';

/** The most bytes that are read of a binary file. */
const headBytes = 8192;
const pieceBytes = 1_048_576;

/** The text of a file. */
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
  access: Parameters<typeof withFile>[1],
): Promise<TextRead | FileProblem> {
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
export function linesOf(text: string): number {
  let breaks = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) breaks += 1;
  return breaks + (text === '' || text.endsWith('\n') ? 0 : 1);
}

/**
 * Ends work that its caller no longer wants.
 * @throws CtxError `aborted`
 */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted !== true) return;
  throw new CtxError({
    code: 'aborted',
    problem: 'The caller aborted the work',
    remedy: 'Nothing was changed; call again when it should run.',
    cause: signal.reason,
  });
}
