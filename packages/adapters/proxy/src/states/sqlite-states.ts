import { chmodSync, closeSync, constants, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Driver } from '@ctx/archive/sqlite';
import { invalid } from '../upstreams.js';
import { keptFor, type StateConnection } from './state-connection.js';

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

const { O_APPEND, O_CREAT, O_NONBLOCK = 0, O_WRONLY } = constants;

/** Tables that ctx makes in one file: the proxy may keep its states in that of its archive. */
const ours = ['states', 'passages'];

/** States in a file, which is readable for its owner only (0600), as are those beside it. */
export async function sqliteStates(address: string): Promise<StateConnection> {
  const path = resolve(address.replace(/^sqlite:(?:\/\/)?/, ''));
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === false)
    throw invalid('store', path, 'The path of the store is not a regular file', 'Give the path of a file.');
  closeSync(openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK, 0o600));
  const { loadSqlite } = await import('@ctx/archive/sqlite');
  const { DatabaseSync } = await loadSqlite('a store in a file, because this Node has no SQLite');
  const driver = new DatabaseSync(path);
  try {
    refuseForeign(driver, path);
    chmodSync(path, 0o600);
    driver.exec(schema);
  } catch (error) {
    driver.close();
    throw error;
  }
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

/** A database of another program is not written to. */
function refuseForeign(driver: Driver, path: string): void {
  const names = driver
    .prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'")
    .all()
    .map((row) => (row as { name: string }).name);
  if (names.length === 0 || names.some((name) => ours.includes(name))) return;
  throw invalid(
    'store',
    path,
    'The file of the store is the database of another program',
    'Give another path.',
  );
}
