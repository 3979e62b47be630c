import { isAbsolute, relative, sep } from 'node:path';
import { type FileProblem, fileProblem, kindProblem, problemOf } from './file-problem.js';
import type { FileStat, FileSystem } from './file-system.js';

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
