import { realpath } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import {
  type FileProblemReason,
  type FileStat,
  fill,
  isProblem,
  type LocatedFile,
  locate,
  nodeFileSystem,
  problemOf,
  withFile,
} from '../folder-reader.js';

/** Why a file was not read. */
export type SkipReason =
  | FileProblemReason
  | 'ignored'
  | 'empty'
  | 'too-large'
  | 'unsupported'
  | 'nothing-defined'
  | 'too-many';

/** The text of a file, or why it was skipped. */
export type Reading = { readonly text: string } | { readonly skipped: SkipReason };

/** A file in a folder, with its path relative to the folder after all links are followed. */
export type InnerFile = LocatedFile & { readonly inner: string };

/** In bytes. A NUL in this much of a file's start means that the file is binary. */
const binarySample = 8_192;

/** Finds a file in a folder without opening it, or returns why it may not be read. */
export async function pathInside(folder: string, path: string): Promise<InnerFile | SkipReason> {
  try {
    const root = await realpath(folder);
    const found = await locate(resolve(root, path), { folder: resolve(folder), root }, nodeFileSystem);
    if (isProblem(found)) return found.problem;
    return { ...found, inner: relative(root, found.realPath).split(sep).join('/') };
  } catch (error) {
    return problemOf(error).problem;
  }
}

/**
 * Reads a file as UTF-8, after making sure that it really is at its path. Never reads more than `maxBytes`.
 * @param file a path without links, as `pathInside` gives it
 * @throws the signal's reason when it aborts
 */
export async function readInside(
  file: { readonly realPath: string; readonly stat?: FileStat },
  maxBytes: number,
  signal?: AbortSignal,
): Promise<Reading> {
  const access = { fileSystem: nodeFileSystem, signal };
  const reading = await withFile<Reading>(file, access, async (open, { size }) => {
    if (size > maxBytes) return { skipped: 'too-large' };
    const bytes = Buffer.alloc(size);
    const content = bytes.subarray(0, await fill(open, bytes, 0, size));
    signal?.throwIfAborted();
    if (content.subarray(0, binarySample).includes(0)) return { skipped: 'binary' };
    const text = content.toString('utf8');
    return text.trim() === '' ? { skipped: 'empty' } : { text };
  });
  return isProblem(reading) ? { skipped: reading.problem } : reading;
}
