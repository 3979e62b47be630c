import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { CtxError } from '@ctx/core';
import { unavailable } from '../archive-errors.js';
import { type Driver, loadSqlite, type Row, type Statement } from './driver.js';
import { archiveError } from './errors.js';
import { makeFile, refuseEmptied, refuseForeign } from './file.js';
import { Reserve } from './reserve.js';

export interface DatabaseOptions {
  readonly busyTimeout: number;
  readonly maxBytes?: number | undefined;
}

/** Pages beside the file before SQLite takes them in, at the fewest: each time costs a wait for the disk. */
const leastAhead = 16;
/** Pages that are given back to the disk at a time: little enough for the room that there is. */
const vacuumed = 16;
/** SQLite's own limit. */
const mostPages = 4_294_967_294;
/** The form of the tables below. A file with another is not touched. */
const version = 1;

/**
 * Postings are found by FTS5, in two columns for the two streams. It sees digests of the terms together with their conversation, so that one
 * conversation's search reads nothing of another. `terms` counts the passages with each term: what FTS5 would have to read all postings for.
 */
const schema = `
  create table conversations (
    id integer primary key, name text not null unique, characters integer not null, changed real not null, passages integer not null
  );
  create table parts (
    conversation integer not null, message integer not null, part integer not null, digest integer not null,
    primary key (conversation, message, part)
  ) without rowid;
  create table passages (
    id integer primary key, conversation integer not null, message integer not null, part integer not null, passage integer not null,
    kind text not null, path text, time real not null, data text not null
  );
  create unique index places on passages (conversation, message, part, passage);
  create table terms (
    conversation integer not null, term integer not null, passages integer not null, primary key (conversation, term)
  ) without rowid;
  create virtual table found using fts5 (
    names, words, content = '', contentless_delete = 1, tokenize = 'ascii', columnsize = 1
  );
  pragma user_version = ${version};
`;
/** Made in files that are older than it, too. */
const addedSchema = `
  create table if not exists originals (
    conversation integer not null, message integer not null, data text not null, primary key (conversation, message)
  ) without rowid;
`;

/** An open file, its statements prepared once. Every error is one of ours. */
export class Database {
  readonly #statements = new Map<string, Statement>();
  /** True after a write for which there was no room. */
  #isFull = false;

  constructor(
    readonly file: string,
    readonly driver: Driver,
    /** The file's place on the disk, by which another one under the same path is told from it. */
    readonly inode: number,
    readonly maxPages: number | undefined,
    readonly reserve: Reserve,
  ) {}

  run(sql: string, ...values: (string | number | null)[]): number {
    return this.#guarded(() => Number(this.#prepared(sql).run(...values).lastInsertRowid));
  }

  get(sql: string, ...values: (string | number | null)[]): Row | undefined {
    return this.#guarded(() => this.#prepared(sql).get(...values) as Row | undefined);
  }

  all(sql: string, ...values: (string | number | null)[]): Row[] {
    return this.#guarded(() => this.#prepared(sql).all(...values) as Row[]);
  }

  /**
   * Writes all or nothing, and nothing while another process writes.
   * @param adds only what adds is held to the limit, and to what the disk has without the reserve: to forget takes a little room, too,
   * before it makes some
   */
  write<Result>(task: () => Result, { adds = false } = {}): Result {
    this.#refuseGone();
    try {
      const result = this.#written(task, adds);
      if (this.#isFull && !adds) this.reclaim();
      return result;
    } catch (error) {
      if (!isFull(error)) throw error;
      this.#isFull = true;
      if (adds) throw error;
    }
    this.reclaim();
    const result = this.#written(task, false);
    this.reclaim();
    return result;
  }

  #written<Result>(task: () => Result, adds: boolean): Result {
    if (this.maxPages !== undefined)
      this.driver.exec(`pragma max_page_count = ${adds ? this.maxPages : mostPages}`);
    this.#guarded(() => this.driver.exec('begin immediate'));
    try {
      const result = task();
      this.#guarded(() => this.driver.exec('commit'));
      return result;
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  close(): void {
    this.#statements.clear();
    this.#guarded(() => this.driver.close());
  }

  /** Gives as much room back to the disk as there is, also what the reserve holds, and makes a new reserve. */
  reclaim(): void {
    this.reserve.release();
    this.takeIn();
    this.reserve.make();
    this.#isFull = false;
  }

  /** Takes in what is beside the file, and gives the room of what was forgotten back to the disk. */
  takeIn(): void {
    this.#attempt('pragma wal_checkpoint(truncate)');
    for (let [free, before] = [this.#freePages(), Infinity]; free > 0 && free < before; ) {
      this.#attempt(`pragma incremental_vacuum(${vacuumed})`);
      this.#attempt('pragma wal_checkpoint(truncate)');
      [free, before] = [this.#freePages(), free];
    }
  }

  /** Pages of the file that hold nothing. */
  #freePages(): number {
    return Number(this.get('pragma freelist_count')?.freelist_count ?? 0);
  }

  /** Does what helps, but is not needed. */
  #attempt(sql: string): void {
    try {
      this.driver.exec(sql);
    } catch {}
  }

  /** After some errors SQLite has rolled back by itself. */
  #rollBack(): void {
    try {
      this.driver.exec('rollback');
    } catch {}
  }

  #prepared(sql: string): Statement {
    const known = this.#statements.get(sql) ?? this.driver.prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }

  #guarded<Result>(task: () => Result): Result {
    try {
      return task();
    } catch (error) {
      throw archiveError(error);
    }
  }

  /** SQLite goes on writing into a file that was deleted, and all of it would be lost. */
  #refuseGone(): void {
    const there = statSync(this.file, { throwIfNoEntry: false });
    if (there?.ino !== this.inode) throw unavailable('The file of the archive was deleted or replaced');
    refuseEmptied(this.file);
  }
}

/** Opens the file of an archive, or makes it. */
export async function openDatabase(
  file: string,
  { busyTimeout, maxBytes }: DatabaseOptions,
): Promise<Database> {
  const path = resolve(file);
  const { DatabaseSync } = await loadSqlite();
  const reserve = new Reserve(path);
  const opened = () => {
    let driver: Driver | undefined;
    try {
      makeFile(path);
      refuseEmptied(path);
      driver = new DatabaseSync(path);
      prepare(driver, busyTimeout);
      const bytes = pageSize(driver);
      reserve.make();
      // What is beside the file must fit into the reserve when the file can't grow.
      const pages = Math.max(leastAhead, Math.floor(reserve.size / 2 / bytes));
      driver.exec(`pragma wal_autocheckpoint = ${pages}`);
      const maxPages = maxBytes === undefined ? undefined : Math.ceil(maxBytes / bytes);
      return new Database(path, driver, statSync(path).ino, maxPages, reserve);
    } catch (error) {
      driver?.close();
      throw archiveError(error);
    }
  };
  try {
    return opened();
  } catch (error) {
    // On a full disk there is no room for what SQLite makes beside the file.
    if (!isFull(error)) throw error;
    reserve.release();
    return opened();
  }
}

/** True for the error that says that there is no room. */
export function isFull(error: unknown): boolean {
  return CtxError.isInstance(error) && error.code === 'archive-full';
}

function prepare(driver: Driver, busyTimeout: number): void {
  driver.exec(`pragma busy_timeout = ${Math.ceil(busyTimeout)}`);
  refuseForeign(driver);
  // Heeded in a new file only: what is forgotten can be given back to the disk.
  driver.exec('pragma auto_vacuum = incremental');
  driver.exec('pragma journal_mode = wal');
  // A process that is killed loses nothing by it; only a machine that loses its power may lose the last puts.
  driver.exec('pragma synchronous = normal');
  driver.exec('begin immediate');
  const { user_version: found } = driver.prepare('pragma user_version').get() as { user_version: number };
  if (found === 0) driver.exec(schema);
  if (found === 0 || found === version) driver.exec(addedSchema);
  driver.exec('commit');
  if (found !== 0 && found !== version)
    throw unavailable(`The archive has the form ${found}, and this version knows ${version}`);
}

function pageSize(driver: Driver): number {
  return (driver.prepare('pragma page_size').get() as { page_size: number }).page_size;
}
