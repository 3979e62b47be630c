import { statSync } from 'node:fs';
import { CtxError, packageMissing } from '@ctx/core';
import { isFields } from '@ctx/core/codec';
import { corrupt, full, unavailable } from '../archive-errors.js';
import { makeFile, putAside, refuseEmptied, startsAsSqlite } from './file.js';

type Value = string | number | null;
export type Row = Readonly<Record<string, Value>>;

interface Statement {
  run(...values: Value[]): { readonly lastInsertRowid: number | bigint; readonly changes: number | bigint };
  get(...values: Value[]): unknown;
  all(...values: Value[]): unknown[];
}

/** What is used of `DatabaseSync`, by which Node and the package that stands in for it both go. */
export interface Driver {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

interface Sqlite {
  readonly DatabaseSync: new (file: string, options?: { readonly readOnly: boolean }) => Driver;
}

/**
 * Node's own SQLite, or the same from a package.
 * @param need what it is for, and why Node's will not do
 * @throws CtxError `package-missing`
 */
export async function loadSqlite(need: string, isEnough = (_: Sqlite): boolean => true): Promise<Sqlite> {
  const { getBuiltinModule } = process as { getBuiltinModule?: (name: string) => unknown };
  const own = getBuiltinModule?.('node:sqlite') as Sqlite | undefined;
  if (own !== undefined && isEnough(own)) return own;
  return (await import('@photostructure/sqlite').catch(
    packageMissing(need, ['@photostructure/sqlite@1']),
  )) as unknown as Sqlite;
}

/** The first versions of Node with SQLite have it without FTS5. */
export function hasSearch({ DatabaseSync }: Sqlite): boolean {
  const database = new DatabaseSync(':memory:');
  try {
    database.exec('create virtual table tried using fts5(text)');
    return true;
  } catch {
    return false;
  } finally {
    database.close();
  }
}

/** SQLite's own limit. */
const mostPages = 4_294_967_294;

export interface DatabaseOptions {
  /** Makes the tables in a new file. */
  readonly schema: string;
  /** The form of the tables, above 0. A file with another is not touched. */
  readonly version: number;
  /** Tables by which a file is known for one of ours. */
  readonly ours: readonly string[];
  /** Ms. */
  readonly busyTimeout: number;
  readonly maxBytes?: number | undefined;
}

/**
 * A file, its statements prepared once. If it is found to be damaged, it gets another name and a new one is begun: the call fails with
 * `archive-corrupt`, which says both names. If that happens when it is opened, the first call fails.
 */
export class Database {
  readonly #statements = new Map<string, Statement>();
  #driver: Driver | undefined;
  /** The file's place on the disk, by which another one under the same path is told from it. */
  #inode = 0;
  /** What the next call fails with. */
  #notice: unknown;

  constructor(
    readonly file: string,
    readonly sqlite: Sqlite,
    readonly options: DatabaseOptions,
  ) {
    try {
      this.#driver = this.#opened();
    } catch (error) {
      const fault = archiveError(error);
      this.#notice = isCorrupt(fault) && startsAsSqlite(file) ? this.#renewed(fault) : fault;
      if (this.#notice === fault) throw fault;
    }
  }

  run(sql: string, ...values: Value[]): number {
    return Number(this.#prepared(sql).run(...values).lastInsertRowid);
  }

  get(sql: string, ...values: Value[]): Row | undefined {
    return this.#prepared(sql).get(...values) as Row | undefined;
  }

  all(sql: string, ...values: Value[]): Row[] {
    return this.#prepared(sql).all(...values) as Row[];
  }

  /** Runs what reads. Every error is one of ours. */
  read<Result>(task: () => Result): Result {
    const notice = this.#notice;
    this.#notice = undefined;
    if (notice !== undefined) throw notice;
    try {
      this.#driver ??= this.#opened();
      return task();
    } catch (error) {
      throw this.#renewed(archiveError(error));
    }
  }

  /**
   * Writes all or nothing, and nothing while another process writes.
   * @param adds only what adds is held to `maxBytes`
   */
  write<Result>(task: () => Result, { adds = false } = {}): Result {
    return this.read(() => {
      this.#refuseGone();
      const driver = this.#driver as Driver;
      const { maxBytes } = this.options;
      if (maxBytes !== undefined) {
        const { page_size: bytes } = this.get('pragma page_size') as { page_size: number };
        driver.exec(`pragma max_page_count = ${adds ? Math.ceil(maxBytes / bytes) : mostPages}`);
      }
      driver.exec('begin immediate');
      try {
        const result = task();
        driver.exec('commit');
        return result;
      } catch (error) {
        attempt(() => driver.exec('rollback')); // After some errors SQLite has done it by itself.
        throw error;
      }
    });
  }

  close(): void {
    // Takes in what is beside the file. Another process may be reading it.
    attempt(() => this.#driver?.exec('pragma wal_checkpoint(truncate)'));
    this.#drop();
  }

  #drop(): void {
    this.#statements.clear();
    const driver = this.#driver;
    this.#driver = undefined;
    driver?.close();
  }

  #prepared(sql: string): Statement {
    const known = this.#statements.get(sql) ?? (this.#driver as Driver).prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }

  #opened(): Driver {
    makeFile(this.file);
    refuseEmptied(this.file);
    const driver = new this.sqlite.DatabaseSync(this.file);
    try {
      prepare(driver, this.options);
      this.#inode = statSync(this.file).ino;
      return driver;
    } catch (error) {
      driver.close();
      throw error;
    }
  }

  /** SQLite goes on writing into a file that was deleted, and all of it would be lost. */
  #refuseGone(): void {
    if (statSync(this.file, { throwIfNoEntry: false })?.ino !== this.#inode)
      throw corrupt('The file of the archive was deleted or replaced');
    refuseEmptied(this.file);
  }

  /** Puts a damaged file aside, so that the next call begins a new one. Returns the error to throw. */
  #renewed(error: unknown): unknown {
    if (!isCorrupt(error)) return error;
    const inode = this.#driver && this.#inode;
    attempt(() => this.#drop());
    const there = statSync(this.file, { throwIfNoEntry: false })?.ino;
    const begun = `A new one is begun at ${this.file}`;
    const isGone = there === undefined || (inode !== undefined && there !== inode);
    try {
      // Another process may have put it aside. What is beside a deleted file is of no use to a new one.
      const aside = there === undefined || !isGone ? putAside(this.file) : undefined;
      const what = isGone ? 'was deleted or replaced' : `is damaged. It is now ${aside}`;
      return corrupt(`The file of the archive ${what}. ${begun}`, error);
    } catch {
      return error;
    }
  }
}

function isCorrupt(error: unknown): boolean {
  return CtxError.isInstance(error) && error.code === 'archive-corrupt';
}

function attempt(task: () => void): void {
  try {
    task();
  } catch {}
}

function prepare(driver: Driver, { schema, version, ours, busyTimeout }: DatabaseOptions): void {
  driver.exec(`pragma busy_timeout = ${Math.ceil(busyTimeout)}`);
  refuseForeign(driver, ours);
  driver.exec('pragma journal_mode = wal');
  // A process that is killed loses nothing by it; only a machine that loses its power may lose the last puts.
  driver.exec('pragma synchronous = normal');
  driver.exec('begin immediate');
  const { user_version: found } = driver.prepare('pragma user_version').get() as { user_version: number };
  if (found === 0) driver.exec(`${schema}; pragma user_version = ${version}`);
  driver.exec('commit');
  if (found !== 0 && found !== version)
    throw unavailable(`The archive has the form ${found}, and this version knows ${version}`);
}

/** A database of another program is not written to. */
function refuseForeign(driver: Driver, ours: readonly string[]): void {
  const names: string[] = [];
  // What is done next with a file that can't be read says why.
  attempt(() => {
    const sql = "select name from sqlite_master where type = 'table' and name not like 'sqlite_%'";
    for (const row of driver.prepare(sql).all()) names.push((row as { name: string }).name);
  });
  if (names.length === 0 || names.some((name) => ours.includes(name))) return;
  const shown = names.slice(0, 3).join(', ');
  throw unavailable(
    `The file is the database of another program, with the tables ${shown}; give another path`,
  );
}

/** The primary codes of SQLite's results. */
const results = { busy: 5, locked: 6, readOnly: 8, corrupted: 11, full: 13, noDatabase: 26 };
/** The extended code for a page that the file should have, and has not. */
const shortRead = 10 | (2 << 8);
/** Some errors of the package that stands in for Node's SQLite have no code. */
const damaged = /disk image is malformed|is not a database/;

/** What SQLite's error means for an archive. */
export function archiveError(error: unknown): unknown {
  if (CtxError.isInstance(error)) return error;
  const { errcode, message } = (isFields(error) ? error : {}) as { errcode?: unknown; message?: unknown };
  const result = typeof errcode === 'number' ? errcode : undefined;
  const isDamaged = result === shortRead || (result === undefined && damaged.test(String(message)));
  // The primary code is in the lowest byte.
  switch (isDamaged ? results.corrupted : (result ?? 0) & 0xff) {
    case results.corrupted:
    case results.noDatabase:
      return corrupt('The file is damaged or is not an archive', error);
    case results.busy:
    case results.locked:
      return unavailable('Another process has locked the archive', error);
    case results.readOnly:
      return unavailable('The archive is read-only', error);
    case results.full:
      return full('The disk or the archive is full', error);
    default:
      return unavailable("The archive's file cannot be used", error);
  }
}
