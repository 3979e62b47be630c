import type { Term, TermKind } from './term.js';
import { TermReader } from './term-reader.js';
import { TermTable } from './term-table.js';

/**
 * Finds terms in texts and numbers them; a term has the same number in all texts of an index. The meaning of a token is determined once
 * and remembered, so reading many texts with one index is faster.
 */
export class TermIndex {
  readonly #terms = new TermTable();
  readonly #reader = new TermReader(this.#terms);

  /** The number of terms. */
  get size(): number {
    return this.#terms.size;
  }

  term(id: number): Term {
    return this.#terms.term(id);
  }

  kind(id: number): TermKind {
    return this.#terms.kind(id);
  }

  /** The length of a term's key, in UTF-16 units. */
  keyLength(id: number): number {
    return this.#terms.keyLength(id);
  }

  /** The number of the term with this key, in lower case; -1 if there is none. */
  find(key: string): number {
    return this.#terms.find(key);
  }

  /** The ids of the terms in text.slice(start, end), each once, in order of first use. */
  idsOf(text: string, start = 0, end = text.length): number[] {
    return this.#reader.read(text, start, Math.min(end, text.length));
  }

  /** Finds only the terms that an earlier text contained, and changes nothing. */
  known(): Pick<TermIndex, 'idsOf'> {
    return {
      idsOf: (text, start = 0, end = text.length) =>
        this.#reader.read(text, start, Math.min(end, text.length), false),
    };
  }
}
