import { isAbsolute, relative, resolve, sep } from 'node:path';
import { type FileProblem, fileProblem, problemOf } from './file-problem.js';
import { kindProblem } from './file-size.js';
import type { FileStat, FileSystem } from './file-system.js';
import { invalidOption } from './parse-option.js';

/** A regular file, found but not opened. */
export interface LocatedFile {
  /** Absolute, with all links followed. */
  readonly realPath: string;
  readonly stat: FileStat;
}

/** The folder that paths are relative to and, where it is a root, must stay in. */
export interface Base {
  readonly folder: string;
  /** The folder with all links followed; undefined: paths may lead anywhere. */
  readonly root: string | undefined;
}

/** @throws ConfigError `config-invalid` when the root can't be found */
export async function baseOf(root: string | undefined, fileSystem: FileSystem): Promise<Base> {
  if (root === undefined) return { folder: resolve(), root };
  try {
    return { folder: resolve(root), root: await fileSystem.realpath(root) };
  } catch (error) {
    throw invalidOption('root', `The root can't be used: ${problemOf(error).error}`, root);
  }
}

/** Finds a file. One outside of the root is not looked at, unless a link inside leads there. */
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

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
