import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { packageMissing } from '@ctx/core';
import { keptFor, type StateConnection } from './state-connection.js';

interface Statement {
  run(...values: (string | number)[]): { readonly changes: number | bigint };
  get(...values: (string | number)[]): unknown;
}

/** What is used of `DatabaseSync`, by which Node and the package that stands in for it both go. */
interface Driver {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

interface Sqlite {
  readonly DatabaseSync: new (file: string) => Driver;
}

/** Ms that a call waits for another process that writes. It writes some kilobytes, so this is long. */
const busyTimeout = 1_000;

const schema = `
  pragma busy_timeout = ${busyTimeout};
  pragma journal_mode = wal;
  pragma synchronous = normal;
  create table if not exists states (
    key text primary key, version integer not null, value text not null, changed real not null
  ) without rowid;
`;

/** States in a file, which is readable for its owner only (0600), as are those beside it. */
export async function sqliteStates(address: string): Promise<StateConnection> {
  const path = resolve(address.replace(/^sqlite:(?:\/\/)?/, ''));
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  closeSync(openSync(path, 'a', 0o600));
  chmodSync(path, 0o600);
  const { DatabaseSync } = await loadSqlite();
  const driver = new DatabaseSync(path);
  driver.exec(schema);
  driver.prepare('delete from states where changed < ?').run(Date.now() - keptFor);
  const found = driver.prepare('select version, value from states where key = ?');
  const first = driver.prepare('insert or ignore into states values (?, 1, ?, ?)');
  const next = driver.prepare(
    'update states set version = ?, value = ?, changed = ? where key = ? and version = ?',
  );
  return {
    get: async (key) => found.get(key) as { version: number; value: string } | undefined,
    put: async (key, value, version) => {
      const { changes } =
        version === 1
          ? first.run(key, value, Date.now())
          : next.run(version, value, Date.now(), key, version - 1);
      return Number(changes) === 1;
    },
    close: async () => driver.close(),
  };
}

/** Node's own SQLite, or the same from a package. */
async function loadSqlite(): Promise<Sqlite> {
  const { getBuiltinModule } = process as { getBuiltinModule?: (name: string) => unknown };
  const own = getBuiltinModule?.('node:sqlite') as Sqlite | undefined;
  if (own !== undefined) return own;
  const need = 'a store in a file, because this Node has no SQLite';
  return (await import('@photostructure/sqlite').catch(
    packageMissing(need, ['@photostructure/sqlite@1']),
  )) as unknown as Sqlite;
}
