import type { Term } from './term.js';
import { TermReader } from './term-reader.js';
import { TermTable } from './term-table.js';

/**
 * Finds terms in texts and gives each a number, the same in all texts of one index. The meaning of a token is worked out
 * once and remembered, so many texts cost less in one index than each in its own.
 */
export class TermIndex {
  readonly #terms = new TermTable();
  readonly #reader = new TermReader(this.#terms);

  /** How many terms there are. */
  get size(): number {
    return this.#terms.size;
  }

  term(id: number): Term {
    return this.#terms.term(id);
  }

  /** The ids of the terms in text.slice(start, end), each once, in the order of first use. */
  idsOf(text: string, start = 0, end = text.length): number[] {
    return this.#reader.read(text, start, Math.min(end, text.length));
  }
}

/** The terms of a text, each once, in the order of first use. Linear in the text's length. */
export function termsOf(text: string): Term[] {
  const index = new TermIndex();
  return index.idsOf(text).map((id) => index.term(id));
}
