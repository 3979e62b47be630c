import type { TermLists } from './candidates.js';
import { decay } from './weights.js';

/** What each term would still add, by how many of the texts that stay contain it. */
export class Coverage {
  /** For each term, the worth that it would add now, and the measurement in which it was last counted: side by side, as both are read. */
  readonly #terms: Float64Array;
  /** For each term, how many texts contain it now, including the chosen ones. */
  readonly #held: Uint8Array;
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
    this.#terms = new Float64Array(2 * weights.length);
    for (let term = 0; term < weights.length; term += 1)
      this.#terms[2 * term] = (weights[term] as number) * (shareLeft[held[term] as number] as number);
  }

  /** Begins a measurement, in which each term counts once. */
  begin(): void {
    this.#measurement += 1;
  }

  /** What the terms of a list would add that have not been counted in this measurement. */
  gainOf({ items, ends }: TermLists, position: number): number {
    const terms = this.#terms;
    const measurement = this.#measurement;
    let worth = 0;
    const end = ends[position + 1] as number;
    for (let at = ends[position] as number; at < end; at += 1) {
      const term = 2 * (items[at] as number);
      if (terms[term + 1] === measurement) continue;
      terms[term + 1] = measurement;
      worth += terms[term] as number;
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
      this.#terms[2 * term] = (this.weights[term] as number) * (shareLeft[times] as number);
    }
  }
}

/** The share of a term's worth that remains, by the number of texts that contain the term. */
const shareLeft = Float64Array.from({ length: 256 }, (_, times) => decay ** times);
