import { matches } from './filter.js';
import type { Passage } from './passage.js';
import { chosenTerms, lengthShare, saturation } from './ranking.js';
import type { Hit, IndexedPassage, PassageFilter, QueryTerm } from './store.js';
import { topOf } from './top.js';

/** A posting is a passage's position times this, plus how often it has the term. */
const frequencies = 64;

interface Kept {
  readonly passage: Passage;
  /** Terms. */
  readonly length: number;
}

/** Finds passages by their terms, ranked by BM25. Adding takes time for the terms that are added only. */
export class MemoryIndex {
  #kept: (Kept | undefined)[] = [];
  #postings = new Map<string, number[]>();
  #scores = new Float64Array(0);
  #live = 0;
  #length = 0;

  /** @returns the passage's position, by which it is removed */
  add({ passage, terms }: IndexedPassage): number {
    const at = this.#kept.length;
    const length = this.#post(at, terms.names, nameMark) + this.#post(at, terms.words, '');
    this.#kept.push({ passage, length });
    this.#live += 1;
    this.#length += length;
    return at;
  }

  at(position: number): Passage | undefined {
    return this.#kept[position]?.passage;
  }

  /** Forgets a passage. Its postings stay until half of all belong to forgotten ones. */
  remove(position: number): void {
    const kept = this.#kept[position];
    if (kept === undefined) return;
    this.#kept[position] = undefined;
    this.#live -= 1;
    this.#length -= kept.length;
  }

  /** True when most of what is kept belongs to forgotten passages: it is time to make the index anew. */
  get isSparse(): boolean {
    return this.#kept.length > 2 * this.#live + 64;
  }

  search(terms: readonly QueryTerm[], filter: PassageFilter, most: number): Hit[] {
    const lists = terms.map((term) => this.#postings.get(keyOf(term)));
    const counts = lists.map((list) => list?.length ?? 0);
    const touched: number[] = [];
    if (this.#scores.length < this.#kept.length) this.#scores = new Float64Array(this.#kept.length * 2);
    const scores = this.#scores;
    const average = this.#length / Math.max(1, this.#live);
    for (const { term, idf } of chosenTerms(terms, counts, this.#live)) {
      for (const posting of this.#postings.get(keyOf(term)) ?? []) {
        const at = Math.floor(posting / frequencies);
        const kept = this.#kept[at];
        if (kept === undefined) continue;
        const often = posting % frequencies;
        const long = 1 - lengthShare + (lengthShare * kept.length) / average;
        if (scores[at] === 0) touched.push(at);
        scores[at] = (scores[at] as number) + (idf * often * (saturation + 1)) / (often + saturation * long);
      }
    }
    const found: Hit[] = [];
    for (const at of touched) {
      const passage = this.#kept[at]?.passage as Passage;
      if (matches(passage, filter)) found.push({ passage, score: scores[at] as number });
      scores[at] = 0;
    }
    return topOf(found, most);
  }

  #post(at: number, terms: readonly string[], mark: string): number {
    const often = new Map<string, number>();
    for (const term of terms) often.set(term, (often.get(term) ?? 0) + 1);
    for (const [term, times] of often) {
      const posting = at * frequencies + Math.min(times, frequencies - 1);
      const list = this.#postings.get(mark + term);
      if (list === undefined) this.#postings.set(mark + term, [posting]);
      else list.push(posting);
    }
    return terms.length;
  }
}

/** In front of a name, so that it is told from the same word. No term begins with it. */
const nameMark = ' ';

function keyOf({ text, stream }: QueryTerm): string {
  return stream === 'names' ? nameMark + text : text;
}
