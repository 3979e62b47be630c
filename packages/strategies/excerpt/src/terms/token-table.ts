import { grown } from '../array-growth.js';
import { IntLists } from '../int-lists.js';
import { CharacterStore } from './character-store.js';
import type { TokenMeaning } from './token-flags.js';

/** Columns of a token: hash, flags, first term, number of its extra fields. */
const width = 4;
const flagsColumn = 1;
const idColumn = 2;
const extraColumn = 3;

/**
 * Tokens and their meanings. A token is found by its hash and characters, so looking one up creates no string. Fields that most tokens
 * have are in typed arrays.
 */
export class TokenTable {
  #rows = new Int32Array(256 * width);
  #slots = new Int32Array(512);
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
    const mask = this.#slots.length - 1;
    let slot = placeOf(hash) & mask;
    for (let number = this.#slots[slot] as number; number !== 0; number = this.#slots[slot] as number) {
      if (this.#rows[(number - 1) * width] === hash && this.#characters.isAt(number - 1, text, start, end))
        return number - 1;
      slot = (slot + 1) & mask;
    }
    return -1;
  }

  /** Adds a new token and returns its number. */
  add(raw: string, hash: number, { ids, flags, value }: TokenMeaning): number {
    const token = this.#characters.add(raw);
    const row = token * width;
    if (row + width > this.#rows.length) this.#rows = grown(this.#rows, row + width);
    this.#rows[row] = hash;
    this.#rows[row + flagsColumn] = flags;
    this.#rows[row + idColumn] = ids[0] ?? -1;
    if (ids.length > 1 || value !== '') {
      this.#rows[row + extraColumn] = this.#moreIds.add(ids.slice(1));
      this.#values.push(value);
    }
    if (this.#characters.size * 2 > this.#slots.length) this.#addSlots();
    else this.#addSlot(token, hash);
    return token;
  }

  #addSlot(token: number, hash: number): void {
    const mask = this.#slots.length - 1;
    let slot = placeOf(hash) & mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
    this.#slots[slot] = token + 1;
  }

  #addSlots(): void {
    this.#slots = new Int32Array(this.#slots.length * 2);
    for (let token = 0; token < this.#characters.size; token++)
      this.#addSlot(token, this.#rows[token * width] as number);
  }
}

/** Spreads out hashes that differ in only a few bits. */
function placeOf(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return mixed ^ (mixed >>> 13);
}
