import { grown } from './array-growth.js';
import * as char from './characters.js';
import { usualForm } from './weights.js';

/** Columns of a form: how often it occurs, and the places of its first and its newest text. */
const width = 3;
const timesColumn = 0;
const firstColumn = 1;
const newestColumn = 2;

/** Forms for which there is room at first. */
const roomAtFirst = 64;

/**
 * Counts how often texts of the same form occur: texts that differ in nothing but numbers, times, hashes and ids. Polling, listings, logs and test
 * runs have few forms and many texts, and what is rare in these texts says little.
 */
export class Forms {
  readonly #numbers = new Map<number, number>();
  #rows = new Int32Array(roomAtFirst * width);

  /**
   * Counts a part of a text.
   * @param place grows with each text
   * @returns the number of its form
   */
  add(text: string, start: number, end: number, place: number): number {
    const hash = formHash(text, start, end);
    const known = this.#numbers.get(hash);
    const form = known ?? this.#numbers.size;
    const row = form * width;
    if (known === undefined) {
      this.#numbers.set(hash, form);
      if (row + width > this.#rows.length) this.#rows = grown(this.#rows, row + width);
      this.#rows[row + firstColumn] = place;
    }
    this.#rows[row + timesColumn] = (this.#rows[row + timesColumn] as number) + 1;
    this.#rows[row + newestColumn] = place;
    return form;
  }

  /** A factor on the worth of a text, 0–1: all texts of a frequent form together have that of a few, apart from the first and the newest. */
  weight(form: number, place: number): number {
    const row = form * width;
    const times = this.#rows[row + timesColumn] as number;
    const isEnd = this.#rows[row + firstColumn] === place || this.#rows[row + newestColumn] === place;
    return isEnd ? 1 : Math.min(1, usualForm / times);
  }
}

/** A hash (FNV-1a) of a text in which words with a digit are one sign, and space is one space. */
function formHash(text: string, start: number, end: number): number {
  let hash = 0x81_1c_9d_c5;
  /** The hash before the word that is being read. */
  let before = hash;
  let kindBefore = 0;
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    const kind = char.kindOf(code);
    if (kind >= char.inWord) {
      if (kindBefore < char.inWord) before = hash;
      hash = mixed(hash, code);
      // A word with a digit is one to its end.
      kindBefore = Math.max(kind, kindBefore);
      continue;
    }
    if (kindBefore === char.inNumber) hash = mixed(before, char.nine);
    if (kind !== char.blank) hash = mixed(hash, code);
    else if (kindBefore !== char.blank) hash = mixed(hash, char.space);
    kindBefore = kind;
  }
  return kindBefore === char.inNumber ? mixed(before, char.nine) : hash;
}

function mixed(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01_00_01_93);
}
