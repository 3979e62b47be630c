import { sizes } from '../weights.js';
import { kinds, type Term, type TermKind } from './term.js';
import { meaningOf, tokenPattern } from './token-meaning.js';

/**
 * Finds terms in texts and numbers them; a term has the same number in all texts of an index. The meaning of a token is determined once
 * and remembered, so reading many texts with one index is faster.
 */
export class TermIndex {
  readonly #keys: string[] = [];
  readonly #kinds: TermKind[] = [];
  readonly #ids = new Map<string, number>();
  /** The ids of the terms of each token. */
  readonly #meanings = new Map<string, readonly number[]>();

  /** The number of terms. */
  get size(): number {
    return this.#keys.length;
  }

  term(id: number): Term {
    return { id, key: this.#keys[id] as string, kind: this.kind(id) };
  }

  kind(id: number): TermKind {
    return this.#kinds[id] as TermKind;
  }

  /** The number of the term with this key, in lower case; -1 if there is none. */
  find(key: string): number {
    return this.#ids.get(key) ?? -1;
  }

  /** The ids of the terms in text.slice(start, end), each once, in order of first use. */
  idsOf(text: string, start = 0, end = text.length): number[] {
    return idsIn(text.slice(start, end), (token) => this.#meanings.get(token) ?? this.#learn(token));
  }

  /** Finds only the terms that an earlier text contained, and changes nothing. */
  known(): Pick<TermIndex, 'idsOf'> {
    return {
      idsOf: (text, start = 0, end = text.length) =>
        idsIn(text.slice(start, end), (token) => this.#meanings.get(token) ?? []),
    };
  }

  #learn(token: string): readonly number[] {
    // A blob has no terms.
    if (token.length > sizes.line) return [];
    const ids = meaningOf(token).map(([key, kind]) => this.#idOf(key, kind));
    this.#meanings.set(token, ids);
    return ids;
  }

  /** The number of the term with this key, which is added if it is new. Makes the term at least as telling as the kind. */
  #idOf(key: string, kind: TermKind): number {
    const id = this.#ids.get(key) ?? this.#keys.push(key) - 1;
    this.#ids.set(key, id);
    const known = this.#kinds[id] ?? kind;
    this.#kinds[id] = kinds.indexOf(kind) < kinds.indexOf(known) ? kind : known;
    return id;
  }
}

function idsIn(text: string, idsOf: (token: string) => readonly number[]): number[] {
  return [...new Set((text.match(tokenPattern) ?? []).flatMap(idsOf))];
}
