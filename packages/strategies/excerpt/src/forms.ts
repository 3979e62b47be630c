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
  for (let at = start; at < end; ) {
    let code = text.charCodeAt(at);
    let kind = char.kindOf(code);
    if (kind >= char.inWord) {
      const before = hash;
      let hasDigit = false;
      for (; kind >= char.inWord; kind = at < end ? char.kindOf(code) : 0) {
        hasDigit ||= kind === char.inNumber;
        hash = mixed(hash, code);
        at += 1;
        code = text.charCodeAt(at);
      }
      if (hasDigit) hash = mixed(before, char.nine);
    } else {
      hash = mixed(hash, kind === char.blank ? char.space : code);
      at += 1;
      while (kind === char.blank && at < end && text.charCodeAt(at) <= char.space) at += 1;
    }
  }
  return hash;
}

function mixed(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01_00_01_93);
}
