import { Best } from '../search/best.js';
import { matches } from '../search/filter.js';
import type { Passage } from '../search/passage.js';
import { chosenTerms, lengthShare, saturation } from '../search/ranking.js';
import type { IndexedPassage, Matches, PassageFilter, QueryTerm, Weighted } from '../store.js';

/** The lowest bits of a posting, which say how often a passage has a term; above them is the passage's position. */
const frequencyBits = 6;
const mostFrequent = 2 ** frequencyBits - 1; // All bits set.

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
  add({ passage, terms }: IndexedPassage): number {
    const at = this.#passages.length;
    const length = this.#post(at, terms.names, nameMark) + this.#post(at, terms.words, '');
    this.#passages.push(passage);
    this.#lengths.push(length);
    this.#live += 1;
    this.#length += length;
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
    const counts = terms.map((term) => this.#postings.get(keyOf(term))?.length ?? 0);
    const chosen = chosenTerms(terms, counts, this.#live);
    const touched = this.#score(chosen);
    const best = new Best<number>(most);
    for (const at of touched) {
      const score = this.#scores[at] as number;
      this.#scores[at] = 0;
      if (score <= best.floor) continue;
      const passage = this.#passages[at];
      if (passage !== undefined && matches(passage, filter)) best.offer(at, score);
    }
    const found = best.all();
    const having = this.#having(found, chosen);
    const hits = found.map(([at, score]) => ({
      passage: this.#passages[at] as Passage,
      score,
      terms: having.get(at),
    }));
    return { hits, terms: chosen };
  }

  /** The positions of the terms that each of some passages has. */
  #having(found: readonly (readonly [number, number])[], chosen: readonly Weighted[]): Map<number, number[]> {
    const having = new Map(found.map(([at]) => [at, [] as number[]]));
    for (const [position, { term }] of chosen.entries())
      for (const posting of this.#postings.get(keyOf(term)) ?? [])
        having.get(posting >>> frequencyBits)?.push(position);
    return having;
  }

  /** Adds up the scores of all passages that have one of the terms. Returns their positions. */
  #score(chosen: readonly Weighted[]): number[] {
    if (this.#scores.length < this.#passages.length)
      this.#scores = new Float64Array(this.#passages.length * 2);
    const scores = this.#scores;
    const touched: number[] = [];
    const average = this.#length / Math.max(1, this.#live);
    for (const { term, idf } of chosen) {
      for (const posting of this.#postings.get(keyOf(term)) ?? []) {
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

  #post(at: number, terms: readonly string[], mark: string): number {
    const often = new Map<string, number>();
    for (const term of terms) often.set(term, (often.get(term) ?? 0) + 1);
    for (const [term, times] of often) {
      const posting = (at << frequencyBits) | Math.min(times, mostFrequent);
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
