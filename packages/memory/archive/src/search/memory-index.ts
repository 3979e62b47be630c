import type { IndexedPassage, Matches, Passage, PassageFilter, QueryTerm } from '../store.js';
import { matches } from './filter.js';
import { chosenTerms, lengthShare, saturation } from './ranking.js';

/** Names apart from the same words. */
const keyOf = ({ text, stream }: QueryTerm) => `${stream} ${text}`;

const keysOf = ({ terms: { names, words } }: IndexedPassage): string[] => [
  ...names.map((text) => keyOf({ text, stream: 'names' })),
  ...words.map((text) => keyOf({ text, stream: 'words' })),
];

/** A passage that has a term, and how often. */
interface Posting {
  readonly at: number;
  often: number;
}

/** Finds passages by their terms, ranked by BM25. */
export class MemoryIndex {
  readonly #passages = new Map<number, { readonly passage: Passage; readonly length: number }>();
  /** By term, in the order of the passages; those of forgotten passages stay. */
  readonly #postings = new Map<string, Posting[]>();
  #next = 0;
  /** Terms of all passages. */
  #length = 0;

  /** @returns a number by which the passage is found and removed */
  add(one: IndexedPassage): number {
    const at = this.#next;
    const keys = keysOf(one);
    for (const key of keys) {
      const postings = this.#postings.get(key);
      const last = postings?.at(-1);
      if (postings === undefined) this.#postings.set(key, [{ at, often: 1 }]);
      else if (last?.at === at) last.often += 1;
      else postings.push({ at, often: 1 });
    }
    this.#passages.set(at, { passage: one.passage, length: keys.length });
    this.#length += keys.length;
    this.#next += 1;
    return at;
  }

  at(number: number): Passage | undefined {
    return this.#passages.get(number)?.passage;
  }

  remove(at: number): void {
    this.#length -= this.#passages.get(at)?.length ?? 0;
    this.#passages.delete(at);
  }

  search(terms: readonly QueryTerm[], filter: PassageFilter, most: number): Matches {
    const postingsOf = (term: QueryTerm) => this.#postings.get(keyOf(term)) ?? [];
    const counts = terms.map((term) => postingsOf(term).length);
    const chosen = chosenTerms(terms, counts, this.#passages.size);
    const average = this.#length / Math.max(1, this.#passages.size);
    const scores = new Map<Passage, number>();
    for (const { term, idf } of chosen)
      for (const { at, often } of postingsOf(term)) {
        const { passage, length = 0 } = this.#passages.get(at) ?? {};
        if (passage === undefined || !matches(passage, filter)) continue;
        const long = 1 - lengthShare + (lengthShare * length) / average;
        const score = (idf * often * (saturation + 1)) / (often + saturation * long);
        scores.set(passage, (scores.get(passage) ?? 0) + score);
      }
    const hits = [...scores].map(([passage, score]) => ({ passage, score }));
    return { hits: hits.sort((a, b) => b.score - a.score).slice(0, most), terms: chosen };
  }
}
