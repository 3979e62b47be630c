import type { FileStat } from './file-system.js';

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
