import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { ConfigError } from '@ctx/core';
import { corrupt } from '../archive-errors.js';
import { indexed } from '../search/indexed-passage.js';
import type { Passage } from '../search/passage.js';
import type { IndexedPart, Original, PassageStore } from '../store.js';
import { passageOf } from '../stored-form.js';
import { openDatabase } from './database.js';
import { type Driver, loadSqlite, type Row } from './driver.js';
import { archiveError } from './errors.js';
import { SqliteStore } from './store.js';

/** What was saved of a damaged archive. */
export interface Salvaged {
  readonly conversations: number;
  readonly passages: number;
  /** Passages that the archive says it had and that could not be read; undefined if it does not say how many it had. */
  readonly lost: number | undefined;
}

/** Ms; nobody else writes to the new file. */
const busyTimeout = 2_000;
/** Rows that a page holds at most: a passage with what stands around it takes over a hundred bytes of 4,096. */
const rowsInPage = 40;
const pageBytes = 4_096;

/**
 * Saves what can be read of a damaged archive into a new file. The damaged file is only read. A text of which a part is lost is saved without
 * it; a conversation whose name is lost is called `salvaged-` and its number.
 * @param damaged the path of the damaged archive
 * @param file the path of the new one, at which nothing is yet
 * @throws CtxError `config-invalid` if there is a file, `archive-corrupt` if nothing can be read, and as `sqliteArchive`
 */
export async function salvageArchive(damaged: string, file: string): Promise<Salvaged> {
  if (existsSync(resolve(file)))
    throw new ConfigError({
      code: 'config-invalid',
      problem: 'There is a file at this path',
      place: 'file',
      value: file,
      remedy: 'Give the path of a new file, and use it in place of the damaged one.',
    });
  const { DatabaseSync } = await loadSqlite();
  const path = resolve(damaged);
  let driver: Driver;
  try {
    driver = new DatabaseSync(path, { readOnly: true });
    driver.exec('pragma busy_timeout = 2000');
  } catch (error) {
    throw archiveError(error);
  }
  try {
    return await new Salvage(new Wreck(driver, path), file).save();
  } finally {
    driver.close();
  }
}

/** A damaged file: what can't be read of it is not there. */
class Wreck {
  constructor(
    readonly driver: Driver,
    readonly path: string,
  ) {}

  get rows(): number {
    return Math.ceil(statSync(this.path).size / pageBytes) * rowsInPage;
  }

  get(sql: string, ...values: number[]): Row | undefined {
    try {
      return this.driver.prepare(sql).get(...values) as Row | undefined;
    } catch {
      return undefined;
    }
  }

  /** The rows of a table with ids, one by one, so that a damaged page takes no other with it. */
  *rowsOf(columns: string, table: string): Generator<Row> {
    const sql = `select ${columns} from ${table} where id = ?`;
    let statement = this.#prepared(sql);
    for (let id = 1; id <= this.rows && statement !== undefined; id += 1) {
      try {
        const row = statement.get(id);
        if (row !== undefined) yield row as Row;
      } catch {
        statement = this.#prepared(sql);
      }
    }
  }

  #prepared(sql: string) {
    try {
      return this.driver.prepare(sql);
    } catch {
      return undefined;
    }
  }
}

class Salvage {
  readonly #names = new Map<number, { readonly name: string; readonly changed: number }>();
  #saved = 0;

  constructor(
    readonly wreck: Wreck,
    readonly file: string,
  ) {}

  async save(): Promise<Salvaged> {
    let had: number | undefined = 0;
    for (const { id, name, changed, passages } of this.wreck.rowsOf('*', 'conversations')) {
      this.#names.set(Number(id), { name: nameIn(name), changed: Number(changed) });
      had += Number(passages);
    }
    if (this.#names.size === 0) had = undefined;
    let store: PassageStore | undefined;
    try {
      for (const [id, passages] of this.#messages()) {
        store ??= new SqliteStore(await openDatabase(this.file, { busyTimeout }));
        await this.#put(store, id, passages);
      }
    } finally {
      await store?.close();
    }
    if (this.#saved === 0) throw corrupt('Nothing of the file can be read');
    return {
      conversations: this.#names.size,
      passages: this.#saved,
      lost: had === undefined ? undefined : Math.max(0, had - this.#saved),
    };
  }

  /** The readable passages of each message, with the number of their conversation. They were put together, so they are next to each other. */
  *#messages(): Generator<[conversation: number, passages: Passage[]]> {
    let found: Passage[] = [];
    let of = 0;
    for (const { conversation, data } of this.wreck.rowsOf('conversation, data', 'passages')) {
      const passage = readable(data);
      if (passage === undefined) continue;
      if (found.length > 0 && (of !== conversation || found[0]?.message !== passage.message)) {
        yield [of, found];
        found = [];
      }
      of = Number(conversation);
      found.push(passage);
    }
    if (found.length > 0) yield [of, found];
  }

  async #put(store: PassageStore, id: number, passages: readonly Passage[]): Promise<void> {
    const { name, changed } = this.#names.get(id) ?? { name: `salvaged-${id}`, changed: Date.now() };
    this.#names.set(id, { name, changed });
    const [{ message } = { message: 0 }] = passages;
    const parts = new Map<number, Passage[]>();
    for (const passage of passages) parts.set(passage.part, [...(parts.get(passage.part) ?? []), passage]);
    const indexedParts = [...parts].map(
      ([part, some]): IndexedPart => ({
        message,
        part,
        digest: this.#digestOf(id, message, part),
        passages: some.map(indexed),
      }),
    );
    await store.put(name, indexedParts, changed, this.#originalOf(id, message));
    this.#saved += passages.length;
  }

  #digestOf(id: number, message: number, part: number): number {
    const sql = 'select digest from parts where conversation = ? and message = ? and part = ?';
    return Number(this.wreck.get(sql, id, message, part)?.digest ?? 0);
  }

  #originalOf(id: number, message: number): Original[] {
    const sql = 'select data from originals where conversation = ? and message = ?';
    const data = this.wreck.get(sql, id, message)?.data;
    return typeof data === 'string' && isJson(data) ? [{ message, data }] : [];
  }
}

/** Names are kept as `storedText` writes them. */
function nameIn(stored: unknown): string {
  return isJson(String(stored)) ? String(JSON.parse(String(stored))) : String(stored);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function readable(data: unknown): Passage | undefined {
  try {
    const passage = passageOf(data);
    return typeof passage.text === 'string' && Number.isInteger(passage.message) ? passage : undefined;
  } catch {
    return undefined;
  }
}
