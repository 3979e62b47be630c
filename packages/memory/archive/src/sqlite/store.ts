import { conflict } from '../archive-errors.js';
import { indexed } from '../search/indexed-passage.js';
import type { Passage } from '../search/passage.js';
import { chosenTerms, streamWeights } from '../search/ranking.js';
import { countsOf, termDigest, tokenOf } from '../search/term-token.js';
import type { IndexedPart, IndexedPassage, Matches, PassageStore } from '../store.js';
import { passageOf, storedPassage, storedPath, storedText } from '../stored-form.js';
import type { Database } from './database.js';
import type { Row } from './driver.js';
import { conditions } from './filter.js';
import { removeGradually } from './removal.js';

/** Postings that one search reads at most: FTS5 reads them twice, and takes 2 µs for each. */
const mostPostings = 4_000;

/** Keeps passages in an SQLite database. */
export class SqliteStore implements PassageStore {
  constructor(readonly database: Database) {}

  async put(...[conversation, parts, now, originals]: Parameters<PassageStore['put']>): Promise<number> {
    return this.database.write(
      () => {
        const id = this.#idOf(conversation) ?? this.#add(conversation, now);
        const added = parts.filter((part) => !this.#has(id, part)).flatMap(({ passages }) => passages);
        for (const one of added) this.#insert(id, one);
        for (const { message, data } of originals)
          this.database.run('insert or ignore into originals values (?, ?, ?)', id, message, data);
        this.#count(id, added, 1);
        const characters = added.reduce((sum, { passage }) => sum + passage.text.length, 0);
        this.database.run(
          'update conversations set changed = ?, characters = characters + ?, passages = passages + ? where id = ?',
          now,
          characters,
          added.length,
          id,
        );
        return Number(this.database.get('select characters from conversations where id = ?', id)?.characters);
      },
      { adds: true },
    );
  }

  async originals(conversation: string, first: number, last: number): Promise<readonly unknown[]> {
    const sql =
      'select data from originals where conversation = ? and message between ? and ? order by message';
    const id = this.#idOf(conversation);
    return id === undefined ? [] : this.database.all(sql, id, first, last).map(({ data }) => data);
  }

  async message(conversation: string, message: number): Promise<readonly Passage[]> {
    const id = this.#idOf(conversation);
    return id === undefined ? [] : this.#passages('message = ?', id, message);
  }

  async search(...[conversation, terms, filter, most]: Parameters<PassageStore['search']>): Promise<Matches> {
    const { id, passages = 0 } = this.#row(conversation) ?? {};
    if (id === undefined) return { hits: [], terms: [] };
    const digests = new Map(terms.map((term) => [term, termDigest(id, term)]));
    const counts = this.#counts(id, [...digests.values()]);
    const counted = terms.map((term) => counts.get(digests.get(term) as number) ?? 0);
    const chosen = chosenTerms(terms, counted, passages, mostPostings);
    if (chosen.length === 0) return { hits: [], terms: [] };
    const query = chosen.map(({ term }) => `"${tokenOf(digests.get(term) as number)}"`).join(' OR ');
    const { where, values } = conditions(filter);
    const rank = `bm25(found, ${streamWeights.names}, ${streamWeights.words})`;
    const rows =
      where === ''
        ? this.database.all(
            `select p.data as data, f.score as score from (select rowid, ${rank} as score from found where found match ? order by rank limit ?) f join passages p on p.id = f.rowid`,
            query,
            most,
          )
        : this.database.all(
            `select p.data as data, ${rank} as score from found join passages p on p.id = found.rowid where found match ?${where} order by score limit ?`,
            query,
            ...values,
            most,
          );
    return {
      hits: rows.map((row) => ({ passage: passageOf(row.data), score: -Number(row.score) })),
      terms: chosen,
    };
  }

  async forget(conversation: string, from: number, to: number): Promise<void> {
    const id = this.#idOf(conversation);
    if (id === undefined) return;
    const last = Math.min(to, Number.MAX_SAFE_INTEGER);
    const isWhole = from <= 1 && to === Number.POSITIVE_INFINITY;
    const range = 'message between ? and ?';
    const messages = `select distinct message from passages where conversation = ? and ${range}`;
    removeGradually(this.database, {
      messages: () => this.database.all(messages, id, from, last).map(({ message }) => Number(message)),
      remove: (message) => void this.#remove(id, 'message = ?', message),
      removeAll: () => void (isWhole ? this.#forgetAll(id) : this.#remove(id, range, from, last)),
    });
  }

  async shrink(conversation: string, maxCharacters: number): Promise<void> {
    this.database.write(() => {
      const { id, characters = 0 } = this.#row(conversation) ?? {};
      if (id === undefined) return;
      let over = characters - maxCharacters;
      while (over > 0) {
        const { oldest } =
          this.database.get('select min(message) as oldest from passages where conversation = ?', id) ?? {};
        if (oldest === null || oldest === undefined) break;
        over -= this.#remove(id, 'message <= ?', Number(oldest));
      }
    });
  }

  async expire(before: number): Promise<void> {
    const late = 'select id from conversations where changed < ?';
    if (this.database.get(`${late} limit 1`, before) === undefined) return;
    this.database.write(() => {
      for (const { id } of this.database.all(late, before)) this.#forgetAll(Number(id));
    });
  }

  async close(): Promise<void> {
    this.database.close();
  }

  #row(conversation: string): { id: number; characters: number; passages: number } | undefined {
    const sql = 'select id, characters, passages from conversations where name = ?';
    return this.database.get(sql, storedText(conversation)) as never;
  }

  #idOf(conversation: string): number | undefined {
    return this.#row(conversation)?.id;
  }

  #add(conversation: string, now: number): number {
    const sql = 'insert into conversations (name, characters, changed, passages) values (?, 0, ?, 0)';
    return this.database.run(sql, storedText(conversation), now);
  }

  /** @throws CtxError `archive-conflict` */
  #has(id: number, { message, part, digest }: IndexedPart): boolean {
    const place = [id, message, part] as const;
    const found = this.database.get(
      'select digest from parts where conversation = ? and message = ? and part = ?',
      ...place,
    );
    if (found !== undefined && found.digest !== digest) throw conflict(message);
    if (found === undefined) this.database.run('insert into parts values (?, ?, ?, ?)', ...place, digest);
    return found !== undefined;
  }

  #insert(id: number, { passage, terms }: IndexedPassage): void {
    const { message, part, passage: position, kind, path, time } = passage;
    const rowid = this.database.run(
      'insert into passages (conversation, message, part, passage, kind, path, time, data) values (?, ?, ?, ?, ?, ?, ?, ?)',
      id,
      message,
      part,
      position,
      kind,
      path === undefined ? null : storedPath(path),
      time,
      storedPassage(passage),
    );
    const [names, words] = (['names', 'words'] as const).map((stream) =>
      terms[stream].map((text) => tokenOf(termDigest(id, { text, stream }))).join(' '),
    );
    this.database.run(
      'insert into found (rowid, names, words) values (?, ?, ?)',
      rowid,
      names as string,
      words as string,
    );
  }

  /** Counts passages with each term, or takes them off the count. */
  #count(id: number, passages: readonly IndexedPassage[], step: 1 | -1): void {
    const sql =
      'insert into terms values (?, ?, ?) on conflict do update set passages = passages + excluded.passages';
    for (const [digest, count] of countsOf(id, passages)) this.database.run(sql, id, digest, step * count);
  }

  #counts(id: number, digests: readonly number[]): Map<number, number> {
    const sql =
      'select term, passages from terms where conversation = ? and term in (select value from json_each(?))';
    const rows = this.database.all(sql, id, JSON.stringify(digests));
    return new Map(rows.map(({ term, passages }) => [Number(term), Number(passages)]));
  }

  #passages(where: string, id: number, ...values: readonly number[]): Passage[] {
    const sql = `select data from passages where conversation = ? and ${where} order by message, part, passage`;
    return this.database.all(sql, id, ...values).map((row: Row) => passageOf(row.data));
  }

  /** @returns how many characters it had */
  #remove(id: number, where: string, ...values: readonly number[]): number {
    const gone = this.#passages(where, id, ...values);
    const rows = `select id from passages where conversation = ? and ${where}`;
    this.database.run(`delete from found where rowid in (${rows})`, id, ...values);
    this.database.run(`delete from passages where conversation = ? and ${where}`, id, ...values);
    for (const table of ['parts', 'originals'])
      this.database.run(`delete from ${table} where conversation = ? and ${where}`, id, ...values);
    this.#count(id, gone.map(indexed), -1);
    const characters = gone.reduce((sum, { text }) => sum + text.length, 0);
    const sql = 'update conversations set characters = characters - ?, passages = passages - ? where id = ?';
    this.database.run(sql, characters, gone.length, id);
    return characters;
  }

  #forgetAll(id: number): void {
    this.database.run(
      'delete from found where rowid in (select id from passages where conversation = ?)',
      id,
    );
    for (const table of ['passages', 'parts', 'originals', 'terms'])
      this.database.run(`delete from ${table} where conversation = ?`, id);
    this.database.run('delete from conversations where id = ?', id);
  }
}
