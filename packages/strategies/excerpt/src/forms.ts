import * as char from './characters.js';
import { usualForm } from './weights.js';

/** Texts that differ in nothing but numbers, times, hashes and ids. */
export class Form {
  #times = 0;
  #first: unknown;
  #newest: unknown;

  /** Counts what has a text of this form. */
  count(owner: object): void {
    this.#first ??= owner;
    this.#newest = owner;
    this.#times += 1;
  }

  /** A factor on the worth of a text, 0–1: all texts of a frequent form together have that of a few, apart from the first and the newest. */
  weightOf(owner: object): number {
    return owner === this.#first || owner === this.#newest ? 1 : Math.min(1, usualForm / this.#times);
  }
}

/**
 * The forms of texts. Polling, listings, logs and test runs have few forms and many texts, and what is rare in these texts says little.
 */
export class Forms {
  readonly #forms = new Map<number, Form>();

  /** The form of text.slice(start, end). */
  of(text: string, start = 0, end = text.length): Form {
    const hash = formHash(text, start, end);
    const form = this.#forms.get(hash) ?? new Form();
    this.#forms.set(hash, form);
    return form;
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
