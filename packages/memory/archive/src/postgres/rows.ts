import { conflict } from '../archive-errors.js';
import { indexed } from '../search/indexed-passage.js';
import type { Passage } from '../search/passage.js';
import { countsOf, digestsOf, tokenOf } from '../search/term-token.js';
import type { IndexedPart, IndexedPassage, Original } from '../store.js';
import { passageOf, storedPassage, storedPath, storedText } from '../stored-form.js';
import type { Query } from './database.js';

/** A conversation with its sums: characters of texts, passages, and words in them. */
export interface Conversation {
  readonly id: number;
  readonly characters: number;
  readonly passages: number;
  readonly length: number;
}

/** Reads and writes the rows of conversations, each time within a transaction of the caller. */
export class PostgresRows {
  readonly #schema: string;

  constructor(schema: string) {
    this.#schema = schema;
  }

  async conversation(query: Query, name: string, locked = false): Promise<Conversation | undefined> {
    const sql = `select id, characters, passages, length from ${this.#schema}.conversations where name = $1`;
    const [row] = await query(`${sql}${locked ? ' for update' : ''}`, storedText(name));
    if (row === undefined) return undefined;
    const { id, characters, passages, length } = row;
    return {
      id: Number(id),
      characters: Number(characters),
      passages: Number(passages),
      length: Number(length),
    };
  }

  /** @throws CtxError `archive-conflict` */
  async newParts(query: Query, id: number, parts: readonly IndexedPart[]): Promise<IndexedPart[]> {
    const added: IndexedPart[] = [];
    for (const one of parts) {
      const place = [id, one.message, one.part];
      const insert = `insert into ${this.#schema}.parts values ($1, $2, $3, $4) on conflict do nothing returning digest`;
      if ((await query(insert, ...place, one.digest)).length > 0) {
        added.push(one);
        continue;
      }
      const sql = `select digest from ${this.#schema}.parts where conversation = $1 and message = $2 and part = $3`;
      const [found] = await query(sql, ...place);
      if (Number(found?.digest) !== one.digest) throw conflict(one.message);
    }
    return added;
  }

  async insertPassages(query: Query, id: number, passages: readonly IndexedPassage[]): Promise<void> {
    const rows = passages.map((one) => ({
      ...one.passage,
      digests: digestsOf(id, one),
      data: storedPassage(one.passage),
    }));
    const sql = `
      insert into ${this.#schema}.passages (conversation, message, part, passage, kind, path, time, length, characters, terms, data)
      select $1, * from unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::text[], $6::text[], $7::float8[], $8::bigint[],
        $9::bigint[], $10::tsvector[], $11::text[])`;
    await query(
      sql,
      id,
      rows.map(({ message }) => message),
      rows.map(({ part }) => part),
      rows.map(({ passage }) => passage),
      rows.map(({ kind }) => kind),
      rows.map(({ path }) => (path === undefined ? null : storedPath(path))),
      rows.map(({ time }) => time),
      passages.map(lengthOf),
      rows.map(({ text }) => text.length),
      rows.map(({ digests }) => [...digests.keys()].map(tokenOf).join(' ')),
      rows.map(({ data }) => data),
    );
  }

  async insertOriginals(query: Query, id: number, originals: readonly Original[]): Promise<void> {
    if (originals.length === 0) return;
    const sql = `insert into ${this.#schema}.originals select $1, * from unnest($2::bigint[], $3::text[]) on conflict do nothing`;
    const numbers = originals.map(({ message }) => message);
    await query(
      sql,
      id,
      numbers,
      originals.map(({ data }) => data),
    );
  }

  /** Counts passages, or takes them off the counts. */
  async count(query: Query, id: number, passages: readonly IndexedPassage[], step: 1 | -1): Promise<void> {
    const counts = countsOf(id, passages);
    await query(
      `insert into ${this.#schema}.frequencies select $1, * from unnest($2::bigint[], $3::bigint[])
       on conflict (conversation, term) do update set passages = frequencies.passages + excluded.passages`,
      id,
      [...counts.keys()],
      [...counts.values()].map((count) => step * count),
    );
    await query(
      `update ${this.#schema}.conversations set characters = characters + $2, passages = passages + $3, length = length + $4 where id = $1`,
      id,
      step * charactersOf(passages),
      step * passages.length,
      step * passages.reduce((sum, one) => sum + lengthOf(one), 0),
    );
  }

  async passages(query: Query, where: string, id: number, ...values: readonly number[]): Promise<Passage[]> {
    const sql = `select data from ${this.#schema}.passages where conversation = $1 and ${where} order by message, part, passage`;
    return (await query(sql, id, ...values)).map(({ data }) => passageOf(data));
  }

  async remove(query: Query, where: string, id: number, ...values: readonly number[]): Promise<void> {
    const gone = await this.passages(query, where, id, ...values);
    for (const table of ['passages', 'parts', 'originals'])
      await query(`delete from ${this.#schema}.${table} where conversation = $1 and ${where}`, id, ...values);
    await this.count(query, id, gone.map(indexed), -1);
  }

  async forgetAll(query: Query, id: number): Promise<void> {
    for (const table of ['passages', 'parts', 'originals', 'frequencies'])
      await query(`delete from ${this.#schema}.${table} where conversation = $1`, id);
    await query(`delete from ${this.#schema}.conversations where id = $1`, id);
  }
}

export function charactersOf(passages: readonly IndexedPassage[]): number {
  return passages.reduce((sum, { passage }) => sum + passage.text.length, 0);
}

function lengthOf({ terms }: IndexedPassage): number {
  return terms.names.length + terms.words.length;
}
