import { type Archive, waiting } from '@ctx/core';
import { archiveOn } from './archive-on.js';
import type { ArchiveOptions } from './archive-options.js';
import { checkOptions } from './checks.js';
import { type ServerOptions, usualTimeout } from './in-time.js';
import { PostgresDatabase, type PostgresPool } from './postgres/database.js';
import { PostgresStore } from './postgres/store.js';

interface PostgresArchiveOptions extends ArchiveOptions, ServerOptions {
  /** The schema with the archive's tables, which is made if it is missing. @default 'ctx_archive' */
  readonly schema?: string | undefined;
}

/**
 * An archive in a Postgres database, for several processes and machines.
 * @param pool a `Pool` of `pg`, which stays the caller's: `close` does not end it
 * @throws CtxError `config-invalid`, `archive-unavailable`, `archive-full` or `archive-corrupt`
 */
export async function postgresArchive(
  pool: PostgresPool,
  options: PostgresArchiveOptions = {},
): Promise<Archive> {
  const { schema = 'ctx_archive', timeout = usualTimeout, wait = waiting, ...others } = options;
  checkOptions({ ...others, timeout }, { schema }, ['timeout']);
  const database = new PostgresDatabase(pool, schema, { timeout, wait });
  await database.prepare();
  return archiveOn(new PostgresStore(database), others);
}
