import { resolve } from 'node:path';
import type { Archive } from '@ctx/core';
import { archiveOn } from './archive.js';
import { conflict } from './archive-errors.js';
import { type ArchiveOptions, amount, archiveOptions, checkName, checkOptions } from './checks.js';
import { storedPath } from './search/filter.js';
import { passageOf } from './search/passage.js';
import { chosenTerms, streamWeights, tokenOf } from './search/ranking.js';
import { Database, type Driver, hasSearch, loadSqlite } from './sqlite/database.js';
import type {
  IndexedPart,
  IndexedPassage,
  Matches,
  Passage,
  PassageStore,
  QueryTerm,
  Weighted,
} from './store.js';

export { type Driver, loadSqlite };

interface SqliteArchiveOptions extends ArchiveOptions {
  /** Ms that a call waits for another process that is writing. @default 2000 */
  readonly busyTimeout?: number | undefined;
  /** Bytes that the file may have. A put beyond them is refused with `archive-full`. @default no limit */
  readonly maxBytes?: number | undefined;
}

/** Ms. Another process writes for some milliseconds at a time; while this one waits, nothing else happens in it. */
const usualTimeout = 2_000;
/** The form of the tables below. */
const version = 3;
/** Several, as the name of one may be damaged. `states` are the proxy's, which may keep them in the file of its archive. */
const ours = ['conversations', 'passages', 'parts', 'states'];

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
  const need = 'an archive in a file, because this Node has no SQLite with full-text search';
  const database = new Database(resolve(file), await loadSqlite(need, hasSearch), settings);
  return archiveOn(new SqliteStore(database), others);
}

/**
 * Postings are found by FTS5, in two columns for the two streams. It sees digests of the terms together with their conversation, so that one
 * conversation's search reads nothing of another. `counts` knows how many passages have each.
 */
const schema = `
  create table conversations (
    id integer primary key, name text not null unique, changed real not null
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
  create virtual table found using fts5 (
    names, words, content = '', contentless_delete = 1, tokenize = 'ascii', columnsize = 1
  );
  create virtual table counts using fts5vocab (found, 'row');
`;

/** Postings that one search reads at most: FTS5 reads them twice, and takes 2 µs for each. */
const mostPostings = 4_000;

/** Keeps passages in an SQLite database. */
class SqliteStore implements PassageStore {
  constructor(readonly database: Database) {}

  async put(...[conversation, parts, now]: Parameters<PassageStore['put']>): Promise<void> {
    this.database.write(
      () => {
        const sql =
          'insert into conversations (name, changed) values (?, ?) on conflict do update set changed = excluded.changed';
        this.database.run(sql, JSON.stringify(conversation), now);
        const id = this.#idOf(conversation) as number;
        for (const part of parts)
          if (!this.#has(id, part)) for (const one of part.passages) this.#insert(id, one);
      },
      { adds: true },
    );
  }

  async message(conversation: string, message: number): Promise<readonly Passage[]> {
    return this.database.read(() => {
      const sql = 'select data from passages where conversation = ? and message = ? order by part, passage';
      const rows = this.database.all(sql, this.#idOf(conversation) ?? 0, message);
      return rows.map(({ data }) => passageOf(data));
    });
  }

  async search(...[conversation, terms, filter, most]: Parameters<PassageStore['search']>): Promise<Matches> {
    return this.database.read(() => {
      const id = this.#idOf(conversation);
      const chosen = id === undefined ? [] : this.#chosen(id, terms);
      if (id === undefined || chosen.length === 0) return { hits: [], terms: [] };
      const query = chosen.map(({ term }) => `"${tokenOf(id, term)}"`).join(' OR ');
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
      const id = this.#idOf(conversation);
      if (id !== undefined) this.#forget(id, from, to);
    });
  }

  async expire(before: number): Promise<void> {
    const late = () => this.database.all('select id from conversations where changed < ?', before);
    if (this.database.read(late).length === 0) return;
    this.database.write(() => {
      for (const { id } of late()) this.#forget(Number(id));
    });
  }

  async close(): Promise<void> {
    this.database.close();
  }

  #idOf(conversation: string): number | undefined {
    const sql = 'select id from conversations where name = ?';
    return this.database.get(sql, JSON.stringify(conversation))?.id as number | undefined;
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
      terms[stream].map((text) => tokenOf(id, { text, stream })).join(' ');
    const sql = 'insert into found (rowid, names, words) values (?, ?, ?)';
    this.database.run(sql, row, tokens('names'), tokens('words'));
  }

  #chosen(id: number, terms: readonly QueryTerm[]): readonly Weighted[] {
    const tokens = terms.map((term) => tokenOf(id, term));
    const all = 'select count(*) as passages from passages where conversation = ?';
    const having = 'select term, doc from counts where term in (select value from json_each(?))';
    const rows = this.database.all(having, JSON.stringify(tokens));
    const known = new Map(rows.map(({ term, doc }) => [term, Number(doc)]));
    const counts = tokens.map((token) => known.get(token) ?? 0);
    return chosenTerms(terms, counts, Number(this.database.get(all, id)?.passages), mostPostings);
  }

  #forget(id: number, from = 1, to = Number.POSITIVE_INFINITY): void {
    const range = 'conversation = ? and message between ? and ?';
    const values = [id, from, Math.min(to, Number.MAX_SAFE_INTEGER)];
    this.database.run(`delete from found where rowid in (select id from passages where ${range})`, ...values);
    for (const table of ['passages', 'parts'])
      this.database.run(`delete from ${table} where ${range}`, ...values);
    if (from <= 1 && to === Number.POSITIVE_INFINITY)
      this.database.run('delete from conversations where id = ?', id);
  }
}
