import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { corrupt, unavailable } from '../archive-errors.js';

/** The mode of files that only their owner reads and writes. */
const ownerOnly = 0o600;
const { O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK = 0 } = constants;

/** Makes the file if it is missing. Only a regular file is opened, and opening never waits for the other end of a pipe. */
export function makeFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  refuseSpecial(statSync(path, { throwIfNoEntry: false }));
  const file = openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK, ownerOnly);
  try {
    refuseSpecial(fstatSync(file));
  } finally {
    closeSync(file);
  }
  // The files beside it get the mode of this one.
  if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, ownerOnly);
}

function refuseSpecial(about: { isFile(): boolean } | undefined): void {
  if (about?.isFile() === false) throw unavailable('The path of the archive is not a regular file');
}

/** SQLite would take an emptied file for a new one, and delete what is still beside it. */
export function refuseEmptied(path: string): void {
  const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size;
  if (sizeOf(path) === 0 && (sizeOf(`${path}-wal`) ?? 0) > 0)
    throw corrupt("The archive's file was emptied; the last entries are still beside it");
}

/** What is no file of SQLite is not put aside: it may be anything. */
export function startsAsSqlite(path: string): boolean {
  const sign = 'SQLite format 3\0';
  const start = Buffer.alloc(sign.length);
  try {
    const file = openSync(path, 'r');
    const length = readSync(file, start, 0, sign.length, 0);
    closeSync(file);
    return length === 0 || start.toString('latin1') === sign;
  } catch {
    return false;
  }
}

/** Renames a file and what SQLite keeps beside it. Returns its new name. */
export function putAside(path: string): string {
  let number = 1;
  while (existsSync(`${path}.damaged-${number}`)) number += 1;
  const aside = `${path}.damaged-${number}`;
  for (const end of ['', '-wal']) if (existsSync(path + end)) renameSync(path + end, aside + end);
  rmSync(`${path}-shm`, { force: true });
  return aside;
}
