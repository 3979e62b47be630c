import { grown } from '../array-growth.js';

/** Texts, and characters of each width, for which there is room at first. */
const roomAtFirst = 256;

/** Columns of a text: where its characters begin, and its length with a bit that says whether they need two bytes. */
const width = 2;
const lengthColumn = 1;

/** Short texts as columns of characters, by number: a hundred thousand strings would keep the garbage collector busy. */
export class CharacterStore {
  #size = 0;
  #rows = new Int32Array(roomAtFirst * width);
  #narrow = new Uint8Array(roomAtFirst);
  #narrowSize = 0;
  #wide = new Uint16Array(roomAtFirst);
  #wideSize = 0;

  get size(): number {
    return this.#size;
  }

  /** Adds a text at the end and returns its number. */
  add(text: string): number {
    const number = this.#size;
    const row = number * width;
    const isWide = isWideText(text);
    if (row + width > this.#rows.length) this.#rows = grown(this.#rows, row + width);
    this.#rows[row] = isWide ? this.#addWide(text) : this.#addNarrow(text);
    this.#rows[row + lengthColumn] = (text.length << 1) | (isWide ? 1 : 0);
    this.#size = number + 1;
    return number;
  }

  lengthOf(number: number): number {
    return (this.#rows[number * width + lengthColumn] as number) >>> 1;
  }

  textOf(number: number): string {
    const start = this.#rows[number * width] as number;
    return String.fromCharCode(...this.#charactersOf(number).subarray(start, start + this.lengthOf(number)));
  }

  /** Whether text.slice(start, end) is the text with this number. */
  isAt(number: number, text: string, start: number, end: number): boolean {
    if (this.lengthOf(number) !== end - start) return false;
    const offset = (this.#rows[number * width] as number) - start;
    const characters = this.#charactersOf(number);
    for (let at = start; at < end; at++) if (characters[offset + at] !== text.charCodeAt(at)) return false;
    return true;
  }

  #charactersOf(number: number): Uint8Array | Uint16Array {
    return (this.#rows[number * width + lengthColumn] as number) & 1 ? this.#wide : this.#narrow;
  }

  #addNarrow(text: string): number {
    const start = this.#narrowSize;
    this.#narrowSize += text.length;
    if (this.#narrowSize > this.#narrow.length) this.#narrow = grown(this.#narrow, this.#narrowSize);
    for (let at = 0; at < text.length; at++) this.#narrow[start + at] = text.charCodeAt(at);
    return start;
  }

  #addWide(text: string): number {
    const start = this.#wideSize;
    this.#wideSize += text.length;
    if (this.#wideSize > this.#wide.length) this.#wide = grown(this.#wide, this.#wideSize);
    for (let at = 0; at < text.length; at++) this.#wide[start + at] = text.charCodeAt(at);
    return start;
  }
}

function isWideText(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 255) return true;
  return false;
}
