import { chmodSync, closeSync, constants, fstatSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { corrupt, unavailable } from '../archive-errors.js';
import type { Driver } from './driver.js';

/** The mode of files that only their owner reads and writes. */
const ownerOnly = 0o600;
const { O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK = 0 } = constants;

/**
 * Makes the file if it is missing. Only a regular file is opened, and opening never waits for the other end of a pipe.
 * @throws CtxError `archive-unavailable`
 */
export function makeFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  refuseSpecial(statSync(path, { throwIfNoEntry: false }));
  const file = openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK, ownerOnly);
  try {
    refuseSpecial(fstatSync(file));
  } finally {
    closeSync(file);
  }
  restrict(path);
}

function refuseSpecial(about: { isFile(): boolean } | undefined): void {
  if (about?.isFile() === false) throw unavailable('The path of the archive is not a regular file');
}

/**
 * SQLite would take an emptied file for a new one, and delete what is still beside it.
 * @throws CtxError `archive-corrupt`
 */
export function refuseEmptied(path: string): void {
  const beside = `${path}-wal`;
  if (statSync(path, { throwIfNoEntry: false })?.size !== 0) return;
  if ((statSync(beside, { throwIfNoEntry: false })?.size ?? 0) === 0) return;
  throw corrupt(`The archive's file was emptied; the last entries are still in ${beside}`);
}

/** The files beside it get the mode of this one. */
function restrict(path: string): void {
  if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, ownerOnly);
}

/** Several, as the name of one may be damaged. `states` are the proxy's. */
const ours = ['conversations', 'passages', 'terms', 'states'];

/**
 * A database of another program is not written to. The proxy may keep its states in the file of its archive.
 * @throws CtxError `archive-unavailable`
 */
export function refuseForeign(driver: Driver): void {
  const names = tablesIn(driver);
  if (names.length === 0 || names.some((name) => ours.includes(name))) return;
  const shown = names.slice(0, 3).join(', ');
  throw unavailable(
    `The file is the database of another program, with the tables ${shown}; give another path`,
  );
}

/** None of a file that cannot be read: what is done next with it says why. */
function tablesIn(driver: Driver): string[] {
  try {
    return driver
      .prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'")
      .all()
      .map((row) => (row as { name: string }).name);
  } catch {
    return [];
  }
}
