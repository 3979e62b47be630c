import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { CtxError } from '@ctx/core';
import { shownPath, unreadable } from './unreadable.js';

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
