import { grown } from '../array-growth.js';
import { HashNumbers } from '../hash-numbers.js';
import { IntLists } from '../int-lists.js';
import { CharacterStore } from './character-store.js';
import type { TokenMeaning } from './token-flags.js';

/** Columns of a token: flags, first term, number of its extra fields. */
const width = 3;
const flagsColumn = 0;
const idColumn = 1;
const extraColumn = 2;

/**
 * Tokens and their meanings. A token is found by its hash and characters, so looking one up creates no string. Fields that most tokens
 * have are in typed arrays.
 */
export class TokenTable {
  #rows = new Int32Array(256 * width);
  readonly #numbers = new HashNumbers();
  /** Fields that few tokens have, by the number in the last column; 0 is for none. */
  readonly #moreIds = IntLists.of([]);
  readonly #values = [''];
  readonly #characters = new CharacterStore();

  flagsOf(token: number): number {
    return this.#rows[token * width + flagsColumn] as number;
  }

  /** The first term of a token; -1 for none. */
  idOf(token: number): number {
    return this.#rows[token * width + idColumn] as number;
  }

  /** The number of a token's terms apart from the first. */
  moreCount(token: number): number {
    const extra = this.#rows[token * width + extraColumn] as number;
    return extra === 0 ? 0 : this.#moreIds.lengthOf(extra);
  }

  moreId(token: number, at: number): number {
    return this.#moreIds.item(this.#rows[token * width + extraColumn] as number, at);
  }

  valueOf(token: number): string {
    return this.#values[this.#rows[token * width + extraColumn] as number] as string;
  }

  lengthOf(token: number): number {
    return this.#characters.lengthOf(token);
  }

  /** The number of the token text.slice(start, end) with this hash; -1 if it is new. */
  find(text: string, start: number, end: number, hash: number): number {
    const numbers = this.#numbers;
    let number = numbers.first(hash);
    while (number >= 0 && !this.#characters.isAt(number, text, start, end)) number = numbers.next(hash);
    return number;
  }

  /** Adds a new token and returns its number. */
  add(raw: string, hash: number, { ids, flags, value }: TokenMeaning): number {
    const token = this.#numbers.add(hash);
    this.#characters.add(raw);
    const row = token * width;
    if (row + width > this.#rows.length) this.#rows = grown(this.#rows, row + width);
    this.#rows[row + flagsColumn] = flags;
    this.#rows[row + idColumn] = ids[0] ?? -1;
    if (ids.length > 1 || value !== '') {
      this.#rows[row + extraColumn] = this.#moreIds.add(ids.slice(1));
      this.#values.push(value);
    }
    return token;
  }
}
