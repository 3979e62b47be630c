import { CtxError } from '@ctx/core';
import { isFields } from '../fields.js';

const reasons: Readonly<Record<string, readonly [problem: string, remedy: string]>> = {
  ENOENT: ['There is no such file', 'Check the path.'],
  ENOTDIR: ['There is no such file', 'Check the path.'],
  EISDIR: ['The path is a directory', 'Give the path of one session file in it.'],
  EACCES: ['The file may not be read', 'Check its permissions.'],
  EPERM: ['The file may not be read', 'Check its permissions.'],
  ELOOP: ['The path is a symbolic link that leads back to itself', 'Give the path of a file.'],
};

/** The error for a file that the system does not let us read. */
export function unreadable(path: string, cause: unknown): CtxError {
  const code = isFields(cause) ? String(cause.code) : '';
  const [problem, remedy] = reasons[code] ?? ['The file could not be read', 'See the cause of this error.'];
  return new CtxError({ code: 'session-unreadable', problem, place: shownPath(path), remedy, cause });
}

/** A path on one line; what is longer is most likely the text of a session, and not its path. */
export function shownPath(path: string): string {
  const line = path.replace(/\s+/g, ' ');
  return line.length > 300 ? `${line.slice(0, 297)}...` : line;
}
