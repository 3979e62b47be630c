import type { Passage } from '../search/passage.js';
import { chosenTerms, lengthShare, saturation } from '../search/ranking.js';
import { termDigest, tokenOf } from '../search/term-token.js';
import type { Matches, PassageStore } from '../store.js';
import { passageOf, storedPath, storedText } from '../stored-form.js';
import type { PostgresDatabase } from './database.js';
import { type Conversation, charactersOf, PostgresRows } from './rows.js';

const nothing: Matches = { hits: [], terms: [] };

/** Keeps passages in a Postgres database. Whoever writes a conversation has its row locked, so that writers take turns. */
export class PostgresStore implements PassageStore {
  readonly #schema: string;
  readonly #rows: PostgresRows;

  constructor(readonly database: PostgresDatabase) {
    this.#schema = database.schema;
    this.#rows = new PostgresRows(database.schema);
  }

  put(...[conversation, parts, now, originals]: Parameters<PassageStore['put']>): Promise<number> {
    return this.database.transaction(async (query) => {
      const added = `insert into ${this.#schema}.conversations (name, characters, passages, length, changed) values ($1, 0, 0, 0, $2)`;
      await query(`${added} on conflict do nothing`, storedText(conversation), now);
      const { id, characters } = (await this.#rows.conversation(query, conversation, true)) as Conversation;
      const passages = (await this.#rows.newParts(query, id, parts)).flatMap((part) => part.passages);
      if (passages.length > 0) await this.#rows.insertPassages(query, id, passages);
      await this.#rows.count(query, id, passages, 1);
      await this.#rows.insertOriginals(query, id, originals);
      await query(`update ${this.#schema}.conversations set changed = $2 where id = $1`, id, now);
      return characters + charactersOf(passages);
    });
  }

  originals(conversation: string, first: number, last: number): Promise<readonly unknown[]> {
    return this.database.transaction(async (query) => {
      const { id } = (await this.#rows.conversation(query, conversation)) ?? {};
      if (id === undefined) return [];
      const sql = `select data from ${this.#schema}.originals where conversation = $1 and message between $2 and $3 order by message`;
      return (await query(sql, id, first, last)).map(({ data }) => data);
    });
  }

  message(conversation: string, message: number): Promise<readonly Passage[]> {
    return this.database.transaction(async (query) => {
      const { id } = (await this.#rows.conversation(query, conversation)) ?? {};
      return id === undefined ? [] : this.#rows.passages(query, 'message = $2', id, message);
    });
  }

  search(...[conversation, terms, filter, most]: Parameters<PassageStore['search']>): Promise<Matches> {
    return this.database.transaction(async (query) => {
      const found = await this.#rows.conversation(query, conversation);
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
      const { id } = (await this.#rows.conversation(query, conversation, true)) ?? {};
      if (id === undefined) return;
      if (to !== Number.POSITIVE_INFINITY)
        await this.#rows.remove(query, 'message between $2 and $3', id, from, to);
      else if (from <= 1) await this.#rows.forgetAll(query, id);
      else await this.#rows.remove(query, 'message >= $2', id, from);
    });
  }

  async shrink(conversation: string, maxCharacters: number): Promise<void> {
    await this.database.transaction(async (query) => {
      const { id, characters = 0 } = (await this.#rows.conversation(query, conversation, true)) ?? {};
      if (id === undefined) return;
      const sql = `select message, sum(characters) as size from ${this.#schema}.passages where conversation = $1 group by message order by message`;
      let over = characters - maxCharacters;
      let last = 0;
      for (const { message, size } of await query(sql, id)) {
        if (over <= 0) break;
        over -= Number(size);
        last = Number(message);
      }
      if (last > 0) await this.#rows.remove(query, 'message <= $2', id, last);
    });
  }

  async expire(before: number): Promise<void> {
    await this.database.transaction(async (query) => {
      const late = `select id from ${this.#schema}.conversations where changed < $1 for update skip locked`;
      for (const { id } of await query(late, before)) await this.#rows.forgetAll(query, Number(id));
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
}
