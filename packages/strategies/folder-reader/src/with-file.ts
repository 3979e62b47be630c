import { type FileProblem, fileProblem, kindProblem, problemOf } from './file-problem.js';
import type { FileStat, FileSystem, OpenFile } from './file-system.js';

/**
 * Opens a file, makes sure that it is the file that was located and really is at its path, and closes it after use. Returns a problem if
 * the file was replaced by a link, is a pipe or a device, or if a folder on its path became a link.
 * @param file a path without links, and what the system said about it when it was located, if it was
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
 * Linux says where the opened file is; on other systems the path is looked up again.
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
