import type { Archive } from '@ctx/core';
import { archiveOn } from './archive-on.js';
import type { ArchiveOptions } from './archive-options.js';
import { checkOptions } from './checks.js';
import { openDatabase } from './sqlite/database.js';
import { SqliteStore } from './sqlite/store.js';

export { salvageArchive } from './sqlite/salvage.js';

interface SqliteArchiveOptions extends ArchiveOptions {
  /** Ms that a call waits for another process that is writing. @default 2000 */
  readonly busyTimeout?: number | undefined;
  /** Bytes that the file may have. A put beyond them is refused with `archive-full`. @default no limit */
  readonly maxBytes?: number | undefined;
}

/** Ms. Another process writes for some milliseconds at a time; while this one waits, nothing else happens in it. */
const usualTimeout = 2_000;

/**
 * An archive in a file of SQLite, which is made if it is missing, readable for its owner only. Several processes of one machine may have it
 * open. Uses `node:sqlite` where Node has it with FTS5, otherwise the package `@photostructure/sqlite`.
 * @param file its path; SQLite makes two more beside it, and ctx one of 2 MB at most, so that a full disk leaves room to forget
 * @throws CtxError `config-invalid`, `package-missing`, `archive-unavailable`, `archive-full` or `archive-corrupt`
 */
export async function sqliteArchive(file: string, options: SqliteArchiveOptions = {}): Promise<Archive> {
  checkOptions(options, { file }, ['busyTimeout', 'maxBytes']);
  const { busyTimeout = usualTimeout, maxBytes, ...others } = options;
  const database = await openDatabase(file, { busyTimeout, maxBytes });
  return archiveOn(new SqliteStore(database), others);
}
