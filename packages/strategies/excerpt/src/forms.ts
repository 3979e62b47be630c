import * as char from './characters.js';
import { HashNumbers } from './hash-numbers.js';
import { IntColumn } from './int-column.js';
import { usualForm } from './weights.js';

/** Columns of a form: how often it occurs, and the places of its first and its newest text. */
const width = 3;
const timesColumn = 0;
const firstColumn = 1;
const newestColumn = 2;

/**
 * Counts how often texts of the same form occur: texts that differ in nothing but numbers, times, hashes and ids. Polling, listings, logs and test
 * runs have few forms and many texts, and what is rare in these texts says little.
 */
export class Forms {
  readonly #numbers = new HashNumbers();
  readonly #rows = new IntColumn();

  /**
   * Counts a part of a text.
   * @param place grows with each text
   * @returns the number of its form
   */
  add(text: string, start: number, end: number, place: number): number {
    const hash = formHash(text, start, end);
    const known = this.#numbers.first(hash);
    const form = known < 0 ? this.#numbers.add(hash) : known;
    const row = form * width;
    if (known < 0) {
      this.#rows.set(row + timesColumn, 0);
      this.#rows.set(row + firstColumn, place);
    }
    this.#rows.set(row + timesColumn, this.#rows.at(row + timesColumn) + 1);
    this.#rows.set(row + newestColumn, place);
    return form;
  }

  /** A factor on the worth of a text, 0–1: all texts of a frequent form together have that of a few, apart from the first and the newest. */
  weight(form: number, place: number): number {
    const row = form * width;
    const times = this.#rows.at(row + timesColumn);
    const isEnd = this.#rows.at(row + firstColumn) === place || this.#rows.at(row + newestColumn) === place;
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
