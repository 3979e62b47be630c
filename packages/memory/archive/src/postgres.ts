import { type Archive, type Wait, waiting } from '@ctx/core';
import { archiveOn } from './archive.js';
import { conflict } from './archive-errors.js';
import {
  type ArchiveOptions,
  amount,
  archiveOptions,
  checkName,
  checkOptions,
  pool as poolForm,
} from './checks.js';
import { PostgresDatabase, type PostgresPool, type Query } from './postgres/database.js';
import { storedPath } from './search/filter.js';
import { passageOf } from './search/passage.js';
import { chosenTerms, lengthShare, saturation, tokenOf } from './search/ranking.js';
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
  checkOptions(pool, poolForm, 'pool');
  checkName(schema, 'schema');
  checkOptions({ ...others, timeout }, archiveOptions.extend({ timeout: amount }));
  const store = new PostgresStore(new PostgresDatabase(pool, { timeout, wait }), schema);
  await store.prepare();
  return archiveOn(store, others);
}

/** Any number that no other program takes for its own lock: the tables are made by one process at a time. */
const lock = 7_217_451_003;

/**
 * Passages are found through the index of `terms`, whose words are digests of a term and its conversation.
 */
const schemaOf = (schema: string) => `
  create schema if not exists ${schema};
  create table if not exists ${schema}.conversations (
    id bigint generated always as identity primary key, name text not null unique, changed double precision not null
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
`;

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
      const [made] = await query('select to_regclass($1) as made', `${this.#schema}.passages`);
      if (made?.made !== null) return;
      await query('select pg_advisory_xact_lock($1)', lock);
      await query(schemaOf(this.#schema));
    });
  }

  put(...[conversation, parts, now]: Parameters<PassageStore['put']>): Promise<void> {
    return this.database.transaction(async (query) => {
      const insert = `insert into ${this.#schema}.conversations (name, changed) values ($1, $2)`;
      const changed = `${insert} on conflict (name) do update set changed = excluded.changed returning id`;
      const [row] = await query(changed, JSON.stringify(conversation), now);
      const id = Number(row?.id);
      const passages = (await this.#newParts(query, id, parts)).flatMap((part) => part.passages);
      if (passages.length > 0) await this.#insert(query, id, passages);
    });
  }

  message(conversation: string, message: number): Promise<readonly Passage[]> {
    return this.database.transaction(async (query) => {
      const id = await this.#idOf(query, conversation);
      const sql = `select data from ${this.#schema}.passages where conversation = $1 and message = $2 order by part, passage`;
      return (await query(sql, id ?? 0, message)).map(({ data }) => passageOf(data));
    });
  }

  search(...[conversation, terms, filter, most]: Parameters<PassageStore['search']>): Promise<Matches> {
    return this.database.transaction(async (query) => {
      const id = await this.#idOf(query, conversation);
      if (id === undefined) return { hits: [], terms: [] };
      const tokens = terms.map((term) => tokenOf(id, term));
      const [all] = await query(
        `select count(*) as passages, avg(length) as length from ${this.#schema}.passages where conversation = $1`,
        id,
      );
      const having = await query(
        `select token, count(*) as passages from unnest($1::text[]) token
         join ${this.#schema}.passages p on p.terms @@ token::tsquery group by token`,
        tokens,
      );
      const known = new Map(having.map((row) => [row.token, Number(row.passages)]));
      const counts = tokens.map((token) => known.get(token) ?? 0);
      const chosen = chosenTerms(terms, counts, Number(all?.passages));
      if (chosen.length === 0) return { hits: [], terms: [] };
      const rows = await query(
        this.#matching,
        chosen.map(({ term }) => tokenOf(id, term)),
        chosen.map(({ idf }) => idf),
        Number(all?.length),
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
      const id = await this.#idOf(query, conversation, true);
      if (id !== undefined) await this.#forget(query, id, from, to);
    });
  }

  async expire(before: number): Promise<void> {
    await this.database.transaction(async (query) => {
      const late = `select id from ${this.#schema}.conversations where changed < $1 for update skip locked`;
      for (const { id } of await query(late, before)) await this.#forget(query, Number(id));
    });
  }

  /** The pool is the caller's. */
  async close(): Promise<void> {}

  async #idOf(query: Query, name: string, locked = false): Promise<number | undefined> {
    const sql = `select id from ${this.#schema}.conversations where name = $1${locked ? ' for update' : ''}`;
    const [row] = await query(sql, JSON.stringify(name));
    return row && Number(row.id);
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
      passages.map((one) => tokensOf(id, one).join(' ')),
      columns((passage) => JSON.stringify(passage)),
    );
  }

  async #forget(query: Query, id: number, from = 1, to = Number.POSITIVE_INFINITY): Promise<void> {
    for (const table of ['passages', 'parts'])
      await query(
        `delete from ${this.#schema}.${table} where conversation = $1 and message between $2 and $3`,
        id,
        from,
        Math.min(to, Number.MAX_SAFE_INTEGER),
      );
    if (from <= 1 && to === Number.POSITIVE_INFINITY)
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

function tokensOf(conversation: number, { terms }: IndexedPassage): string[] {
  const streams = ['names', 'words'] as const;
  return streams.flatMap((stream) => terms[stream].map((text) => tokenOf(conversation, { text, stream })));
}
