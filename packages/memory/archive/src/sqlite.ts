import { resolve } from 'node:path';
import type { Archive } from '@ctx/core';
import { archiveOn } from './archive.js';
import { conflict } from './archive-errors.js';
import { type ArchiveOptions, amount, archiveOptions, checkName, checkOptions } from './checks.js';
import { storedPath } from './search/filter.js';
import { indexed, passageOf } from './search/passage.js';
import { chosenTerms, countsOf, streamWeights, termDigest, tokenOf } from './search/ranking.js';
import { Database, loadSqlite } from './sqlite/database.js';
import type { IndexedPart, IndexedPassage, Matches, Passage, PassageStore } from './store.js';

interface SqliteArchiveOptions extends ArchiveOptions {
  /** Ms that a call waits for another process that is writing. @default 2000 */
  readonly busyTimeout?: number | undefined;
  /** Bytes that the file may have. A put beyond them is refused with `archive-full`. @default no limit */
  readonly maxBytes?: number | undefined;
}

/** Ms. Another process writes for some milliseconds at a time; while this one waits, nothing else happens in it. */
const usualTimeout = 2_000;
/** The form of the tables below. */
const version = 2;
/** Several, as the name of one may be damaged. `states` are the proxy's, which may keep them in the file of its archive. */
const ours = ['conversations', 'passages', 'terms', 'states'];

/**
 * An archive in a file of SQLite, which is made if it is missing, readable for its owner only. Several processes of one machine may have it
 * open. Uses `node:sqlite` where Node has it with FTS5, otherwise the package `@photostructure/sqlite`. A damaged file gets another name and a
 * new one is begun: the first call that notices it fails with `archive-corrupt`, which says both names.
 * @param file its path; SQLite makes two more beside it
 * @throws CtxError `config-invalid`, `package-missing`, `archive-unavailable`, `archive-full` or `archive-corrupt`
 */
export async function sqliteArchive(file: string, options: SqliteArchiveOptions = {}): Promise<Archive> {
  checkName(file, 'file');
  checkOptions(options, archiveOptions.extend({ busyTimeout: amount, maxBytes: amount }));
  const { busyTimeout = usualTimeout, maxBytes, ...others } = options;
  const settings = { schema, version, ours, busyTimeout, maxBytes };
  const database = new Database(resolve(file), await loadSqlite(), settings);
  return archiveOn(new SqliteStore(database), others);
}

/**
 * Postings are found by FTS5, in two columns for the two streams. It sees digests of the terms together with their conversation, so that one
 * conversation's search reads nothing of another. `terms` counts the passages with each term: what FTS5 would have to read all postings for.
 */
const schema = `
  create table conversations (
    id integer primary key, name text not null unique, changed real not null, passages integer not null
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
`;

/** Postings that one search reads at most: FTS5 reads them twice, and takes 2 µs for each. */
const mostPostings = 4_000;

/** Keeps passages in an SQLite database. */
class SqliteStore implements PassageStore {
  constructor(readonly database: Database) {}

  async put(...[conversation, parts, now]: Parameters<PassageStore['put']>): Promise<void> {
    this.database.write(
      () => {
        const id = this.#row(conversation)?.id ?? this.#add(conversation, now);
        const added = parts.filter((part) => !this.#has(id, part)).flatMap(({ passages }) => passages);
        for (const one of added) this.#insert(id, one);
        this.#count(id, added, 1);
        this.database.run('update conversations set changed = ? where id = ?', now, id);
      },
      { adds: true },
    );
  }

  async message(conversation: string, message: number): Promise<readonly Passage[]> {
    return this.database.read(() => {
      const { id } = this.#row(conversation) ?? {};
      return id === undefined ? [] : this.#passages('message = ?', id, message);
    });
  }

  async search(...[conversation, terms, filter, most]: Parameters<PassageStore['search']>): Promise<Matches> {
    return this.database.read(() => {
      const { id, passages = 0 } = this.#row(conversation) ?? {};
      if (id === undefined) return { hits: [], terms: [] };
      const digests = terms.map((term) => termDigest(id, term));
      const chosen = chosenTerms(terms, this.#counts(id, digests), passages, mostPostings);
      if (chosen.length === 0) return { hits: [], terms: [] };
      const query = chosen.map(({ term }) => `"${tokenOf(termDigest(id, term))}"`).join(' OR ');
      const rank = `bm25(found, ${streamWeights.names}, ${streamWeights.words})`;
      const { kinds, path, since } = filter;
      const values = [
        kinds === undefined ? null : JSON.stringify(kinds),
        path === undefined ? null : storedPath(path),
        since ?? null,
      ];
      const rows = values.some((value) => value !== null)
        ? this.database.all(
            `select p.data, ${rank} as score from found join passages p on p.id = found.rowid where found match ?1
             and (?3 is null or p.kind in (select value from json_each(?3))) and (?4 is null or instr(p.path, ?4) > 0)
             and (?5 is null or p.time >= ?5) order by score limit ?2`,
            query,
            most,
            ...values,
          )
        : this.database.all(
            // FTS5 sorts before passages are read.
            `select p.data, f.score from (select rowid, ${rank} as score from found where found match ? order by rank limit ?) f
             join passages p on p.id = f.rowid`,
            query,
            most,
          );
      return {
        hits: rows.map(({ data, score }) => ({ passage: passageOf(data), score: -Number(score) })),
        terms: chosen,
      };
    });
  }

  async forget(conversation: string, from: number, to: number): Promise<void> {
    this.database.write(() => {
      const { id } = this.#row(conversation) ?? {};
      if (id === undefined) return;
      if (from <= 1 && to === Number.POSITIVE_INFINITY) this.#forgetAll(id);
      else this.#remove(id, 'message between ? and ?', from, Math.min(to, Number.MAX_SAFE_INTEGER));
    });
  }

  async expire(before: number): Promise<void> {
    const late = () => this.database.all('select id from conversations where changed < ?', before);
    if (this.database.read(late).length === 0) return;
    this.database.write(() => {
      for (const { id } of late()) this.#forgetAll(Number(id));
    });
  }

  async close(): Promise<void> {
    this.database.close();
  }

  #row(conversation: string): { id: number; passages: number } | undefined {
    const sql = 'select id, passages from conversations where name = ?';
    return this.database.get(sql, JSON.stringify(conversation)) as never;
  }

  #add(conversation: string, now: number): number {
    const sql = 'insert into conversations (name, changed, passages) values (?, ?, 0)';
    return this.database.run(sql, JSON.stringify(conversation), now);
  }

  /** @throws CtxError `archive-conflict` */
  #has(id: number, { message, part, digest }: IndexedPart): boolean {
    const sql = 'select digest from parts where conversation = ? and message = ? and part = ?';
    const found = this.database.get(sql, id, message, part);
    if (found !== undefined && found.digest !== digest) throw conflict(message);
    if (found === undefined)
      this.database.run('insert into parts values (?, ?, ?, ?)', id, message, part, digest);
    return found !== undefined;
  }

  #insert(id: number, { passage, terms }: IndexedPassage): void {
    const { message, part, passage: position, kind, path, time } = passage;
    const row = this.database.run(
      'insert into passages (conversation, message, part, passage, kind, path, time, data) values (?, ?, ?, ?, ?, ?, ?, ?)',
      ...[id, message, part, position, kind],
      ...[path === undefined ? null : storedPath(path), time, JSON.stringify(passage)],
    );
    const tokens = (stream: 'names' | 'words') =>
      terms[stream].map((text) => tokenOf(termDigest(id, { text, stream }))).join(' ');
    const sql = 'insert into found (rowid, names, words) values (?, ?, ?)';
    this.database.run(sql, row, tokens('names'), tokens('words'));
  }

  /** Counts passages, or takes them off the counts. */
  #count(id: number, passages: readonly IndexedPassage[], step: 1 | -1): void {
    const term =
      'insert into terms values (?, ?, ?) on conflict do update set passages = passages + excluded.passages';
    for (const [digest, count] of countsOf(id, passages)) this.database.run(term, id, digest, step * count);
    const sum = 'update conversations set passages = passages + ? where id = ?';
    this.database.run(sum, step * passages.length, id);
  }

  /** How many passages have each term. */
  #counts(id: number, digests: readonly number[]): number[] {
    const sql =
      'select term, passages from terms where conversation = ? and term in (select value from json_each(?))';
    const rows = this.database.all(sql, id, JSON.stringify(digests));
    const known = new Map(rows.map(({ term, passages }) => [term, Number(passages)]));
    return digests.map((digest) => known.get(digest) ?? 0);
  }

  #passages(where: string, id: number, ...values: readonly number[]): Passage[] {
    const sql = `select data from passages where conversation = ? and ${where} order by message, part, passage`;
    return this.database.all(sql, id, ...values).map(({ data }) => passageOf(data));
  }

  #remove(id: number, where: string, ...values: readonly number[]): void {
    const gone = this.#passages(where, id, ...values);
    const rows = `select id from passages where conversation = ? and ${where}`;
    this.database.run(`delete from found where rowid in (${rows})`, id, ...values);
    for (const table of ['passages', 'parts'])
      this.database.run(`delete from ${table} where conversation = ? and ${where}`, id, ...values);
    this.#count(id, gone.map(indexed), -1);
  }

  #forgetAll(id: number): void {
    const rows = 'select id from passages where conversation = ?';
    this.database.run(`delete from found where rowid in (${rows})`, id);
    for (const table of ['passages', 'parts', 'terms'])
      this.database.run(`delete from ${table} where conversation = ?`, id);
    this.database.run('delete from conversations where id = ?', id);
  }
}
