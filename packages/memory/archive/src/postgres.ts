import { type Archive, type Wait, waiting } from '@ctx/core';
import { archiveOn } from './archive.js';
import { conflict } from './archive-errors.js';
import { type ArchiveOptions, amount, archiveOptions, checkName, checkOptions } from './checks.js';
import { PostgresDatabase, type PostgresPool, type Query } from './postgres/database.js';
import { storedPath } from './search/filter.js';
import { indexed, passageOf } from './search/passage.js';
import {
  chosenTerms,
  countsOf,
  digestsOf,
  lengthShare,
  saturation,
  termDigest,
  tokenOf,
} from './search/ranking.js';
import type { IndexedPart, IndexedPassage, Matches, Passage, PassageStore } from './store.js';

interface PostgresArchiveOptions extends ArchiveOptions {
  /** The schema with the archive's tables, which is made if it is missing. @default 'ctx_archive' */
  readonly schema?: string | undefined;
  /** Ms that a call waits for the server. @default 5000 */
  readonly timeout?: number | undefined;
  /** Waits for that time. Give it where time is not real, as in a test. @default setTimeout */
  readonly wait?: Wait | undefined;
}

/** Ms. Longer than any call takes on a server that is well; an agent does not wait longer for what it can do without. */
const usualTimeout = 5_000;

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
  checkName(schema, 'schema');
  checkOptions({ ...others, timeout }, archiveOptions.extend({ timeout: amount }));
  const store = new PostgresStore(new PostgresDatabase(pool, { timeout, wait }), schema);
  await store.prepare();
  return archiveOn(store, others);
}

/** Any number that no other program takes for its own lock: the tables are made by one process at a time. */
const lock = 7_217_451_003;

/**
 * Passages are found through the index of `terms`, whose words are digests of a term and its conversation. `frequencies` counts the passages
 * with each term.
 */
const schemaOf = (schema: string) => `
  create schema if not exists ${schema};
  create table if not exists ${schema}.conversations (
    id bigint generated always as identity primary key, name text not null unique, passages bigint not null,
    length bigint not null, changed double precision not null
  );
  create table if not exists ${schema}.parts (
    conversation bigint, message bigint, part bigint, digest bigint not null, primary key (conversation, message, part)
  );
  create table if not exists ${schema}.passages (
    id bigint generated always as identity primary key, conversation bigint not null, message bigint not null, part bigint not null,
    passage bigint not null, kind text not null, path text, time double precision not null, length bigint not null,
    terms tsvector not null, data text not null, unique (conversation, message, part, passage)
  );
  create index if not exists passages_terms on ${schema}.passages using gin (terms);
  create table if not exists ${schema}.frequencies (
    conversation bigint, term bigint, passages bigint not null, primary key (conversation, term)
  );
`;

/** A conversation with its sums: passages, and words in them. */
interface Conversation {
  readonly id: number;
  readonly passages: number;
  readonly length: number;
}

/** Keeps passages in a Postgres database. Whoever writes a conversation has its row locked, so that writers take turns. */
class PostgresStore implements PassageStore {
  /** The schema's name, quoted. */
  readonly #schema: string;

  constructor(
    readonly database: PostgresDatabase,
    schema: string,
  ) {
    this.#schema = `"${schema.replaceAll('"', '""')}"`;
  }

  prepare(): Promise<void> {
    return this.database.transaction(async (query) => {
      const [made] = await query('select to_regclass($1) as made', `${this.#schema}.frequencies`);
      if (made?.made !== null) return;
      await query('select pg_advisory_xact_lock($1)', lock);
      await query(schemaOf(this.#schema));
    });
  }

  put(...[conversation, parts, now]: Parameters<PassageStore['put']>): Promise<void> {
    return this.database.transaction(async (query) => {
      const added = `insert into ${this.#schema}.conversations (name, passages, length, changed) values ($1, 0, 0, $2)`;
      await query(`${added} on conflict do nothing`, JSON.stringify(conversation), now);
      const { id } = (await this.#row(query, conversation, true)) as Conversation;
      const passages = (await this.#newParts(query, id, parts)).flatMap((part) => part.passages);
      if (passages.length > 0) await this.#insert(query, id, passages);
      await this.#count(query, id, passages, 1);
      await query(`update ${this.#schema}.conversations set changed = $2 where id = $1`, id, now);
    });
  }

  message(conversation: string, message: number): Promise<readonly Passage[]> {
    return this.database.transaction(async (query) => {
      const { id } = (await this.#row(query, conversation)) ?? {};
      return id === undefined ? [] : this.#passages(query, 'message = $2', id, message);
    });
  }

  search(...[conversation, terms, filter, most]: Parameters<PassageStore['search']>): Promise<Matches> {
    return this.database.transaction(async (query) => {
      const found = await this.#row(query, conversation);
      if (found === undefined) return { hits: [], terms: [] };
      const { id, passages, length } = found;
      const digests = terms.map((term) => termDigest(id, term));
      const sql = `select term, passages from ${this.#schema}.frequencies where conversation = $1 and term = any($2)`;
      const known = new Map(
        (await query(sql, id, digests)).map((row) => [Number(row.term), Number(row.passages)]),
      );
      const counts = digests.map((digest) => known.get(digest) ?? 0);
      const chosen = chosenTerms(terms, counts, passages);
      if (chosen.length === 0) return { hits: [], terms: [] };
      const rows = await query(
        this.#matching,
        chosen.map(({ term }) => tokenOf(termDigest(id, term))),
        chosen.map(({ idf }) => idf),
        length / Math.max(1, passages),
        most,
        filter.kinds ?? null,
        filter.path === undefined ? null : storedPath(filter.path),
        filter.since ?? null,
      );
      return {
        hits: rows.map(({ data, score }) => ({ passage: passageOf(data), score: Number(score) })),
        terms: chosen,
      };
    });
  }

  async forget(conversation: string, from: number, to: number): Promise<void> {
    await this.database.transaction(async (query) => {
      const { id } = (await this.#row(query, conversation, true)) ?? {};
      if (id === undefined) return;
      if (from <= 1 && to === Number.POSITIVE_INFINITY) await this.#forgetAll(query, id);
      else
        await this.#remove(
          query,
          'message between $2 and $3',
          id,
          from,
          Math.min(to, Number.MAX_SAFE_INTEGER),
        );
    });
  }

  async expire(before: number): Promise<void> {
    await this.database.transaction(async (query) => {
      const late = `select id from ${this.#schema}.conversations where changed < $1 for update skip locked`;
      for (const { id } of await query(late, before)) await this.#forgetAll(query, Number(id));
    });
  }

  /** The pool is the caller's. */
  async close(): Promise<void> {}

  async #row(query: Query, name: string, locked = false): Promise<Conversation | undefined> {
    const sql = `select id, passages, length from ${this.#schema}.conversations where name = $1`;
    const [row] = await query(`${sql}${locked ? ' for update' : ''}`, JSON.stringify(name));
    return row && { id: Number(row.id), passages: Number(row.passages), length: Number(row.length) };
  }

  /** @throws CtxError `archive-conflict` */
  async #newParts(query: Query, id: number, parts: readonly IndexedPart[]): Promise<IndexedPart[]> {
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

  async #insert(query: Query, id: number, passages: readonly IndexedPassage[]): Promise<void> {
    const columns = (column: (passage: Passage) => unknown) => passages.map(({ passage }) => column(passage));
    await query(
      `insert into ${this.#schema}.passages (conversation, message, part, passage, kind, path, time, length, terms, data)
       select $1, * from unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::text[], $6::text[], $7::float8[], $8::bigint[],
         $9::tsvector[], $10::text[])`,
      id,
      columns(({ message }) => message),
      columns(({ part }) => part),
      columns(({ passage }) => passage),
      columns(({ kind }) => kind),
      columns(({ path }) => (path === undefined ? null : storedPath(path))),
      columns(({ time }) => time),
      passages.map(lengthOf),
      passages.map((one) => [...digestsOf(id, one)].map(tokenOf).join(' ')),
      columns((passage) => JSON.stringify(passage)),
    );
  }

  /** Counts passages, or takes them off the counts. */
  async #count(query: Query, id: number, passages: readonly IndexedPassage[], step: 1 | -1): Promise<void> {
    const counts = countsOf(id, passages);
    await query(
      `insert into ${this.#schema}.frequencies select $1, * from unnest($2::bigint[], $3::bigint[])
       on conflict (conversation, term) do update set passages = frequencies.passages + excluded.passages`,
      id,
      [...counts.keys()],
      [...counts.values()].map((count) => step * count),
    );
    await query(
      `update ${this.#schema}.conversations set passages = passages + $2, length = length + $3 where id = $1`,
      id,
      step * passages.length,
      step * passages.reduce((sum, one) => sum + lengthOf(one), 0),
    );
  }

  async #passages(query: Query, where: string, id: number, ...values: readonly number[]): Promise<Passage[]> {
    const sql = `select data from ${this.#schema}.passages where conversation = $1 and ${where} order by message, part, passage`;
    return (await query(sql, id, ...values)).map(({ data }) => passageOf(data));
  }

  async #remove(query: Query, where: string, id: number, ...values: readonly number[]): Promise<void> {
    const gone = await this.#passages(query, where, id, ...values);
    for (const table of ['passages', 'parts'])
      await query(`delete from ${this.#schema}.${table} where conversation = $1 and ${where}`, id, ...values);
    await this.#count(query, id, gone.map(indexed), -1);
  }

  async #forgetAll(query: Query, id: number): Promise<void> {
    for (const table of ['passages', 'parts', 'frequencies'])
      await query(`delete from ${this.#schema}.${table} where conversation = $1`, id);
    await query(`delete from ${this.#schema}.conversations where id = $1`, id);
  }

  /** Each term finds its passages through the index; a passage is worth more the rarer the terms are and the shorter it is. */
  get #matching(): string {
    const long = `(1 - ${lengthShare}::float8 + ${lengthShare}::float8 * p.length / $3::float8)`;
    return `
      with best as (
        select p.id, sum(q.idf * ${saturation + 1}::float8 / (1 + ${saturation}::float8 * ${long})) as score
        from unnest($1::text[], $2::float8[]) q (token, idf)
        join ${this.#schema}.passages p on p.terms @@ q.token::tsquery
        where ($5::text[] is null or p.kind = any($5)) and ($6::text is null or strpos(p.path, $6) > 0)
          and ($7::float8 is null or p.time >= $7)
        group by p.id order by score desc limit $4
      )
      select p.data, best.score from best join ${this.#schema}.passages p on p.id = best.id`;
  }
}

function lengthOf({ terms }: IndexedPassage): number {
  return terms.names.length + terms.words.length;
}
