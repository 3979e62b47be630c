import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { CtxError } from '@ctx/core';
import { isFields } from '../fields.js';

const { O_RDONLY, O_NONBLOCK = 0 } = constants;

/**
 * Opens a regular file to read it. It is looked at first, because opening a device can have effects, and again when it is open, because a
 * pipe may have taken its place. Opening never waits for the other end of a pipe.
 * @param beforeOpen for tests: is called between the two looks
 * @throws CtxError `session-unreadable`
 */
export async function openRegular(path: string, beforeOpen = () => {}): Promise<FileHandle> {
  await regularStat(path);
  beforeOpen();
  const file = await open(path, O_RDONLY | O_NONBLOCK).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  try {
    refuseSpecial(path, await file.stat());
    return file;
  } catch (error) {
    await file.close();
    throw CtxError.isInstance(error) ? error : unreadable(path, error);
  }
}

/**
 * What the system says about a regular file, without opening it.
 * @throws CtxError `session-unreadable`
 */
export async function regularStat(path: string): Promise<Stats> {
  const about = await stat(path).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  refuseSpecial(path, about);
  return about;
}

function refuseSpecial(path: string, about: Stats): void {
  if (about.isFile()) return;
  if (about.isDirectory()) throw unreadable(path, { code: 'EISDIR' });
  throw new CtxError({
    code: 'session-unreadable',
    problem: 'The path is not a regular file but a pipe, a device or a socket, which may never end',
    place: shownPath(path),
    remedy: 'Write what it gives into a file, and give the path of that file.',
  });
}

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
function shownPath(path: string): string {
  const line = String(path).replace(/\s+/g, ' ');
  return line.length > 300 ? `${line.slice(0, 297)}...` : line;
}

export function emptyFile(place: string): CtxError {
  return new CtxError({
    code: 'session-empty',
    problem: 'The file is empty',
    place,
    remedy: 'Give a file with at least one message.',
  });
}
