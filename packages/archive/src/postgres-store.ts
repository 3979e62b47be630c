import { conflict } from './archive-errors.js';
import { indexed } from './indexed.js';
import type { Passage } from './passage.js';
import type { PostgresDatabase, Query } from './postgres-database.js';
import { chosenTerms, lengthShare, saturation } from './ranking.js';
import type {
  IndexedPart,
  IndexedPassage,
  Matches,
  Original,
  PassageFilter,
  PassageStore,
  QueryTerm,
} from './store.js';
import { passageOf, storedPassage, storedPath, storedText } from './stored.js';
import { digestsOf, termDigest, tokenOf } from './term-token.js';

const nothing: Matches = { hits: [], terms: [] };

interface Conversation {
  readonly id: number;
  readonly characters: number;
  readonly passages: number;
  readonly length: number;
}

/** Keeps passages in a Postgres database. Whoever writes a conversation has its row locked, so that writers take turns. */
export function postgresStore(database: PostgresDatabase): PassageStore {
  return new PostgresStore(database);
}

class PostgresStore implements PassageStore {
  readonly #schema: string;

  constructor(readonly database: PostgresDatabase) {
    this.#schema = database.schema;
  }

  put(
    conversation: string,
    parts: readonly IndexedPart[],
    now: number,
    originals: readonly Original[],
  ): Promise<number> {
    return this.database.transaction(async (query) => {
      const added = `insert into ${this.#schema}.conversations (name, characters, passages, length, changed) values ($1, 0, 0, 0, $2)`;
      await query(`${added} on conflict do nothing`, storedText(conversation), now);
      const { id, characters } = (await this.#conversation(query, conversation, true)) as Conversation;
      const passages = (await this.#newParts(query, id, parts)).flatMap((part) => part.passages);
      if (passages.length > 0) await this.#insert(query, id, passages);
      await this.#count(query, id, passages, 1);
      await this.#insertOriginals(query, id, originals);
      await query(`update ${this.#schema}.conversations set changed = $2 where id = $1`, id, now);
      return characters + charactersOf(passages);
    });
  }

  originals(conversation: string, first: number, last: number): Promise<readonly unknown[]> {
    return this.database.transaction(async (query) => {
      const { id } = (await this.#conversation(query, conversation)) ?? {};
      if (id === undefined) return [];
      const sql = `select data from ${this.#schema}.originals where conversation = $1 and message between $2 and $3 order by message`;
      return (await query(sql, id, first, last)).map(({ data }) => data);
    });
  }

  message(conversation: string, message: number): Promise<readonly Passage[]> {
    return this.database.transaction(async (query) => {
      const { id } = (await this.#conversation(query, conversation)) ?? {};
      return id === undefined ? [] : this.#passages(query, 'message = $2', id, message);
    });
  }

  search(
    conversation: string,
    terms: readonly QueryTerm[],
    filter: PassageFilter,
    most: number,
  ): Promise<Matches> {
    return this.database.transaction(async (query) => {
      const found = await this.#conversation(query, conversation);
      if (found === undefined) return nothing;
      const digests = terms.map((term) => termDigest(found.id, term));
      const sql = `select term, passages from ${this.#schema}.frequencies where conversation = $1 and term = any($2)`;
      const counts = new Map(
        (await query(sql, found.id, digests)).map((row) => [Number(row.term), Number(row.passages)]),
      );
      const chosen = chosenTerms(
        terms,
        digests.map((digest) => counts.get(digest) ?? 0),
        found.passages,
      );
      if (chosen.length === 0) return nothing;
      const tokens = chosen.map(({ term }) => tokenOf(termDigest(found.id, term)));
      const rows = await query(
        this.#matching,
        tokens,
        chosen.map(({ idf }) => idf),
        found.length / Math.max(1, found.passages),
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
      const { id } = (await this.#conversation(query, conversation, true)) ?? {};
      if (id === undefined) return;
      if (to !== Number.POSITIVE_INFINITY)
        await this.#remove(query, 'message between $2 and $3', id, from, to);
      else if (from <= 1) await this.#forgetAll(query, id);
      else await this.#remove(query, 'message >= $2', id, from);
    });
  }

  async shrink(conversation: string, maxCharacters: number): Promise<void> {
    await this.database.transaction(async (query) => {
      const { id, characters = 0 } = (await this.#conversation(query, conversation, true)) ?? {};
      if (id === undefined) return;
      const sql = `select message, sum(characters) as size from ${this.#schema}.passages where conversation = $1 group by message order by message`;
      let over = characters - maxCharacters;
      let last = 0;
      for (const { message, size } of await query(sql, id)) {
        if (over <= 0) break;
        over -= Number(size);
        last = Number(message);
      }
      if (last > 0) await this.#remove(query, 'message <= $2', id, last);
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

  async #conversation(query: Query, name: string, locked = false): Promise<Conversation | undefined> {
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

  async #insertOriginals(query: Query, id: number, originals: readonly Original[]): Promise<void> {
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
  async #count(query: Query, id: number, passages: readonly IndexedPassage[], step: 1 | -1): Promise<void> {
    const counts = new Map<number, number>();
    for (const one of passages)
      for (const digest of digestsOf(id, one).keys()) counts.set(digest, (counts.get(digest) ?? 0) + step);
    await query(
      `insert into ${this.#schema}.frequencies select $1, * from unnest($2::bigint[], $3::bigint[])
       on conflict (conversation, term) do update set passages = frequencies.passages + excluded.passages`,
      id,
      [...counts.keys()],
      [...counts.values()],
    );
    await query(
      `update ${this.#schema}.conversations set characters = characters + $2, passages = passages + $3, length = length + $4 where id = $1`,
      id,
      step * charactersOf(passages),
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
    for (const table of ['passages', 'parts', 'originals'])
      await query(`delete from ${this.#schema}.${table} where conversation = $1 and ${where}`, id, ...values);
    await this.#count(query, id, gone.map(indexed), -1);
  }

  async #forgetAll(query: Query, id: number): Promise<void> {
    for (const table of ['passages', 'parts', 'originals', 'frequencies'])
      await query(`delete from ${this.#schema}.${table} where conversation = $1`, id);
    await query(`delete from ${this.#schema}.conversations where id = $1`, id);
  }
}

function charactersOf(passages: readonly IndexedPassage[]): number {
  return passages.reduce((sum, { passage }) => sum + passage.text.length, 0);
}

function lengthOf({ terms }: IndexedPassage): number {
  return terms.names.length + terms.words.length;
}
