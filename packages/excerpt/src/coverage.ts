import type { TermLists } from './candidates.js';
import { decay } from './weights.js';

/** What each term would still add, by how many of the texts that stay contain it. */
export class Coverage {
  /** The worth that each term would add now. */
  readonly #worth: Float64Array;
  /** For each term, how many texts contain it now, including the chosen ones. */
  readonly #held: Uint8Array;
  /** The measurement in which each term was last counted. */
  readonly #counted: Int32Array;
  #measurement = 0;

  /**
   * @param weights the worth of each term, by id
   * @param held for each term, how many texts contain it already
   */
  constructor(
    readonly weights: Float64Array,
    held: Uint8Array,
  ) {
    this.#held = held.slice();
    this.#counted = new Int32Array(weights.length);
    this.#worth = new Float64Array(weights.length);
    for (let term = 0; term < weights.length; term += 1)
      this.#worth[term] = (weights[term] as number) * (shareLeft[held[term] as number] as number);
  }

  /** Begins a measurement, in which each term counts once. */
  begin(): void {
    this.#measurement += 1;
  }

  /** What the terms of a list would add that have not been counted in this measurement. */
  gainOf({ items, ends }: TermLists, position: number): number {
    let worth = 0;
    const end = ends[position + 1] as number;
    for (let at = ends[position] as number; at < end; at += 1) {
      const term = items[at] as number;
      if (this.#counted[term] === this.#measurement) continue;
      this.#counted[term] = this.#measurement;
      worth += this.#worth[term] as number;
    }
    return worth;
  }

  /** Counts one more text that contains the terms of a list. */
  hold({ items, ends }: TermLists, position: number): void {
    const end = ends[position + 1] as number;
    for (let at = ends[position] as number; at < end; at += 1) {
      const term = items[at] as number;
      const times = Math.min(255, (this.#held[term] as number) + 1);
      this.#held[term] = times;
      this.#worth[term] = (this.weights[term] as number) * (shareLeft[times] as number);
    }
  }
}

/** The share of a term's worth that remains, by the number of texts that contain the term. */
const shareLeft = Float64Array.from({ length: 256 }, (_, times) => decay ** times);
