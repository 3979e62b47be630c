import { constants } from 'node:fs';
import { open, readlink, realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';

/** Why a file can't be read. None of these depends on its size. */
export type FileProblemReason =
  | 'missing'
  | 'directory'
  | 'special'
  | 'no-permission'
  | 'link-loop'
  | 'invalid-path'
  | 'outside-root'
  | 'binary'
  | 'not-text'
  | 'changed'
  | 'io';

export interface FileProblem {
  readonly problem: FileProblemReason;
  /** The problem in one line, for a model. */
  readonly error: string;
}

const errors: Readonly<Record<FileProblemReason, string>> = {
  missing: 'No such file. Check the path.',
  directory: 'The path is a directory. Give the path of a file in it.',
  special: 'Not a regular file but a device, pipe or socket, which is never opened.',
  'no-permission': 'The file may not be read. Check its permissions.',
  'link-loop': 'The path is a symbolic link that leads back to itself.',
  'invalid-path': 'The path must be a text without null characters.',
  'outside-root': 'The path leads out of the folder that files may be read from.',
  binary: 'Binary file: it contains null bytes.',
  'not-text': 'The file is not text in the given encoding.',
  changed: 'The file was replaced while it was read. Read it again.',
  io: 'The file could not be read.',
};

const reasonOfCode: Readonly<Record<string, FileProblemReason>> = {
  ENOENT: 'missing',
  ENOTDIR: 'missing',
  ENAMETOOLONG: 'missing',
  EISDIR: 'directory',
  EACCES: 'no-permission',
  EPERM: 'no-permission',
  ELOOP: 'link-loop',
  ENXIO: 'special',
  ERR_INVALID_ARG_TYPE: 'invalid-path',
  ERR_INVALID_ARG_VALUE: 'invalid-path',
};

/** Makes a problem with its line for a model. */
export function fileProblem(problem: FileProblemReason, error: string = errors[problem]): FileProblem {
  return { problem, error };
}

/** The problem that an error of the file system means. */
export function problemOf(error: unknown): FileProblem {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  const reason = typeof code === 'string' ? reasonOfCode[code] : undefined;
  if (reason !== undefined) return fileProblem(reason);
  return fileProblem('io', typeof code === 'string' ? `The file could not be read (${code}).` : undefined);
}

/** The problem with something that is not a regular file; undefined for a regular file. */
export function kindProblem(stat: FileStat): FileProblem | undefined {
  if (stat.isFile()) return undefined;
  return fileProblem(stat.isDirectory() ? 'directory' : 'special');
}

/** Whether a result is a problem and not a file that was found or read. */
export function isProblem(value: object): value is FileProblem {
  return 'problem' in value;
}

/** A file's status, read without opening it. */
export interface FileStat {
  /** In bytes. */
  readonly size: number;
  readonly dev: number;
  readonly ino: number;
  isFile(): boolean;
  isDirectory(): boolean;
}

export interface OpenFile {
  stat(): Promise<FileStat>;
  read(
    buffer: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly bytesRead: number }>;
  /** Where the opened file really is; undefined if the system does not say. Missing if it never does. */
  realpath?(): Promise<string | undefined>;
  close(): Promise<void>;
}

/** The functions of a file system that this package needs. Another implementation can be passed. */
export interface FileSystem {
  realpath(path: string): Promise<string>;
  stat(path: string): Promise<FileStat>;
  open(path: string): Promise<OpenFile>;
}

/** Opens a file without following a link that replaced it after the check, and without waiting for the other end of a pipe. */
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
const flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK;

/** The machine's file system. */
export const nodeFileSystem: FileSystem = {
  realpath: (path) => realpath(path),
  stat: (path) => stat(path),
  async open(path) {
    const file = await open(path, flags);
    return {
      stat: () => file.stat(),
      read: (buffer, offset, length, position) => file.read(buffer, offset, length, position),
      // Only Linux has this link.
      realpath: () => readlink(`/proc/self/fd/${file.fd}`).catch(() => undefined),
      close: () => file.close(),
    };
  },
};

/** A regular file, found but not opened. */
export interface LocatedFile {
  /** The absolute path, with all links followed. */
  readonly realPath: string;
  readonly stat: FileStat;
}

/** The folder that paths are relative to. If it has a root, they must stay inside it. */
export interface Base {
  readonly folder: string;
  /** The folder with all links followed; undefined if paths may lead anywhere. */
  readonly root: string | undefined;
}

/**
 * Finds a file without opening it. Does not look at a file outside the root, unless a link inside leads to it.
 * @param path absolute
 */
export async function locate(
  path: string,
  base: Base,
  fileSystem: FileSystem,
): Promise<LocatedFile | FileProblem> {
  const { folder, root } = base;
  if (root !== undefined && !isInside(path, folder) && !isInside(path, root)) {
    return fileProblem('outside-root');
  }
  try {
    const realPath = await fileSystem.realpath(path);
    if (root !== undefined && !isInside(realPath, root)) return fileProblem('outside-root');
    const stat = await fileSystem.stat(realPath);
    return kindProblem(stat) ?? { realPath, stat };
  } catch (error) {
    return problemOf(error);
  }
}

/** Whether a path is the folder or inside it. */
function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/**
 * Opens a file, makes sure that it is the file that was located and really is at its path, and closes it after use. Returns a problem if
 * the file was replaced by a link, is a pipe or a device, or if a folder on its path became a link.
 * @param file a path without links, and its status when it was located, if it was
 * @throws the signal's reason when it aborts
 */
export async function withFile<Result extends object>(
  { realPath, stat }: { readonly realPath: string; readonly stat?: FileStat | undefined },
  { fileSystem, signal }: { readonly fileSystem: FileSystem; readonly signal?: AbortSignal | undefined },
  use: (open: OpenFile, now: FileStat) => Promise<Result>,
): Promise<Result | FileProblem> {
  signal?.throwIfAborted();
  try {
    const open = await fileSystem.open(realPath);
    try {
      const now = await open.stat();
      const problem = kindProblem(now);
      if (problem !== undefined) return problem;
      const isOther = stat !== undefined && !isSame(now, stat);
      if (isOther || !(await isAt(realPath, open, now, fileSystem))) return fileProblem('changed');
      return await use(open, now);
    } finally {
      await open.close();
    }
  } catch (error) {
    signal?.throwIfAborted();
    const problem = problemOf(error);
    return problem.problem === 'link-loop' ? fileProblem('changed') : problem;
  }
}

function isSame(a: FileStat, b: FileStat): boolean {
  return a.dev === b.dev && a.ino === b.ino;
}

/**
 * Whether the opened file is at its path. A folder on the path may have been a link to elsewhere only while it was checked or opened.
 * Linux reports where the opened file is; on other systems the path is looked up again.
 */
async function isAt(path: string, open: OpenFile, stat: FileStat, fileSystem: FileSystem): Promise<boolean> {
  const opened = await open.realpath?.();
  if (opened !== undefined) return opened === path;
  const isReal = async () => (await fileSystem.realpath(path)) === path;
  return (await isReal()) && isSame(await fileSystem.stat(path), stat) && (await isReal());
}

/** Reads into the bytes from `from` to `end`. Returns where the file ended if that is earlier, otherwise `end`. */
export async function fill(open: OpenFile, bytes: Uint8Array, from: number, end: number): Promise<number> {
  let position = from;
  while (position < end) {
    const { bytesRead } = await open.read(bytes, position, end - position, position);
    if (bytesRead === 0) break;
    position += bytesRead;
  }
  return position;
}
