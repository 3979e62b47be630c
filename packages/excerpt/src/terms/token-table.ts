import { grownBytes, grownInts, grownUnits } from '../growing.js';
import { IntLists } from '../int-lists.js';
import type { TokenMeaning } from './token-flags.js';

/** Columns of a token: hash, offset of its characters, length and flags, first term, number of its extra fields. */
const width = 5;
const startColumn = 1;
const flagsColumn = 2;
const idColumn = 3;
const extraColumn = 4;
/** Whether a character needs two bytes. */
const isWide = 1 << 15;

/**
 * Tokens and their meanings. A token is found by its hash and characters, so looking one up creates no string. Fields that most tokens
 * have are in typed arrays.
 */
export class TokenTable {
  #size = 0;
  #rows = new Int32Array(256 * width);
  #slots = new Int32Array(512);
  /** Fields that few tokens have, by the number in the last column; 0 is for none. */
  readonly #moreIds = IntLists.of([]);
  readonly #values = [''];
  #narrow = new Uint8Array(2048);
  #narrowSize = 0;
  #wide = new Uint16Array(256);
  #wideSize = 0;

  flagsOf(token: number): number {
    return (this.#rows[token * width + flagsColumn] as number) & (isWide - 1);
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
    return (this.#rows[token * width + flagsColumn] as number) >>> 16;
  }

  /** The number of the token text.slice(start, end) with this hash; -1 if it is new. */
  find(text: string, start: number, end: number, hash: number): number {
    const mask = this.#slots.length - 1;
    let slot = placeOf(hash) & mask;
    for (let number = this.#slots[slot] as number; number !== 0; number = this.#slots[slot] as number) {
      if (this.#rows[(number - 1) * width] === hash && this.#isAt(number - 1, text, start, end))
        return number - 1;
      slot = (slot + 1) & mask;
    }
    return -1;
  }

  /** Adds a new token and returns its number. Its length must be less than 65536. */
  add(raw: string, hash: number, { ids, flags, value }: TokenMeaning): number {
    const token = this.#size++;
    const row = token * width;
    if (row + width > this.#rows.length) this.#rows = grownInts(this.#rows, row + width);
    this.#rows[row] = hash;
    const wide = isWideText(raw);
    this.#rows[row + startColumn] = wide ? this.#addWide(raw) : this.#addNarrow(raw);
    this.#rows[row + flagsColumn] = (raw.length << 16) | (wide ? isWide : 0) | flags;
    this.#rows[row + idColumn] = ids[0] ?? -1;
    if (ids.length > 1 || value !== '') {
      this.#rows[row + extraColumn] = this.#moreIds.add(ids.slice(1));
      this.#values.push(value);
    }
    if (this.#size * 2 > this.#slots.length) this.#addSlots();
    else this.#addSlot(token, hash);
    return token;
  }

  #isAt(token: number, text: string, start: number, end: number): boolean {
    const row = token * width;
    const packed = this.#rows[row + flagsColumn] as number;
    if (packed >>> 16 !== end - start) return false;
    const offset = (this.#rows[row + startColumn] as number) - start;
    const characters = packed & isWide ? this.#wide : this.#narrow;
    for (let at = start; at < end; at++) if (characters[offset + at] !== text.charCodeAt(at)) return false;
    return true;
  }

  #addNarrow(raw: string): number {
    const start = this.#narrowSize;
    this.#narrowSize += raw.length;
    if (this.#narrowSize > this.#narrow.length) this.#narrow = grownBytes(this.#narrow, this.#narrowSize);
    for (let at = 0; at < raw.length; at++) this.#narrow[start + at] = raw.charCodeAt(at);
    return start;
  }

  #addWide(raw: string): number {
    const start = this.#wideSize;
    this.#wideSize += raw.length;
    if (this.#wideSize > this.#wide.length) this.#wide = grownUnits(this.#wide, this.#wideSize);
    for (let at = 0; at < raw.length; at++) this.#wide[start + at] = raw.charCodeAt(at);
    return start;
  }

  #addSlot(token: number, hash: number): void {
    const mask = this.#slots.length - 1;
    let slot = placeOf(hash) & mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
    this.#slots[slot] = token + 1;
  }

  #addSlots(): void {
    this.#slots = new Int32Array(this.#slots.length * 2);
    for (let token = 0; token < this.#size; token++)
      this.#addSlot(token, this.#rows[token * width] as number);
  }
}

/** Spreads out hashes that differ in only a few bits. */
function placeOf(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return mixed ^ (mixed >>> 13);
}

function isWideText(raw: string): boolean {
  for (let at = 0; at < raw.length; at++) if (raw.charCodeAt(at) > 255) return true;
  return false;
}
