import type { IndexedPassage, Matches, Passage, PassageFilter, QueryTerm, Weighted } from '../store.js';
import { matches } from './filter.js';
import { chosenTerms, lengthShare, saturation } from './ranking.js';

/** The lowest bits of a posting, which say how often a passage has a term; above them is the passage's position. */
const frequencyBits = 6;
const mostFrequent = 2 ** frequencyBits - 1; // All bits set.

/** In front of a name, so that it is told from the same word. No term begins with it. */
const marks = { names: ' ', words: '' } as const;

/** Finds passages by their terms, ranked by BM25. Adding takes time for the terms that are added only. */
export class MemoryIndex {
  readonly #passages: (Passage | undefined)[] = [];
  /** Terms of each passage. */
  readonly #lengths: number[] = [];
  readonly #postings = new Map<string, number[]>();
  #scores = new Float64Array(0);
  #live = 0;
  #length = 0;

  /** @returns the passage's position, by which it is removed */
  add({ passage, terms: { names, words } }: IndexedPassage): number {
    const at = this.#passages.length;
    this.#post(at, names, 'names');
    this.#post(at, words, 'words');
    this.#passages.push(passage);
    this.#lengths.push(names.length + words.length);
    this.#live += 1;
    this.#length += names.length + words.length;
    return at;
  }

  at(position: number): Passage | undefined {
    return this.#passages[position];
  }

  /** Forgets a passage. Its postings stay until half of all belong to forgotten ones. */
  remove(position: number): void {
    if (this.#passages[position] === undefined) return;
    this.#passages[position] = undefined;
    this.#live -= 1;
    this.#length -= this.#lengths[position] as number;
  }

  /** True when most of what is kept belongs to forgotten passages: it is time to rebuild the index. */
  get isSparse(): boolean {
    return this.#passages.length > 2 * this.#live + 64;
  }

  search(terms: readonly QueryTerm[], filter: PassageFilter, most: number): Matches {
    const counts = terms.map((term) => this.#postingsOf(term).length);
    const chosen = chosenTerms(terms, counts, this.#live);
    let best: [at: number, score: number][] = [];
    // A passage with no larger score is not among the best.
    let floor = 0;
    const cut = () => {
      best.sort(([, a], [, b]) => b - a);
      if (best.length < most) return;
      best = best.slice(0, most);
      floor = best.at(-1)?.[1] ?? 0;
    };
    for (const at of this.#score(chosen)) {
      const score = this.#scores[at] as number;
      this.#scores[at] = 0;
      const passage = this.#passages[at];
      if (score <= floor || passage === undefined || !matches(passage, filter)) continue;
      best.push([at, score]);
      if (best.length >= most * 4) cut();
    }
    cut();
    return {
      hits: best.map(([at, score]) => ({ passage: this.#passages[at] as Passage, score })),
      terms: chosen,
    };
  }

  /** Adds up the scores of all passages that have one of the terms. Returns their positions. */
  #score(chosen: readonly Weighted[]): number[] {
    if (this.#scores.length < this.#passages.length)
      this.#scores = new Float64Array(this.#passages.length * 2);
    const scores = this.#scores;
    const touched: number[] = [];
    const average = this.#length / Math.max(1, this.#live);
    for (const { term, idf } of chosen) {
      for (const posting of this.#postingsOf(term)) {
        const at = posting >>> frequencyBits;
        const often = posting & mostFrequent;
        const long = 1 - lengthShare + (lengthShare * (this.#lengths[at] as number)) / average;
        const score = scores[at] as number;
        if (score === 0) touched.push(at);
        scores[at] = score + (idf * often * (saturation + 1)) / (often + saturation * long);
      }
    }
    return touched;
  }

  #postingsOf({ text, stream }: QueryTerm): number[] {
    return this.#postings.get(marks[stream] + text) ?? [];
  }

  #post(at: number, terms: readonly string[], stream: QueryTerm['stream']): void {
    const often = new Map<string, number>();
    for (const term of terms) often.set(term, (often.get(term) ?? 0) + 1);
    for (const [term, times] of often) {
      const posting = (at << frequencyBits) | Math.min(times, mostFrequent);
      const list = this.#postings.get(marks[stream] + term);
      if (list === undefined) this.#postings.set(marks[stream] + term, [posting]);
      else list.push(posting);
    }
  }
}
