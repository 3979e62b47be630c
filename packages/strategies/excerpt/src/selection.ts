import type { Steps } from '@ctx/core';
import type { Candidates } from './candidates.js';
import type { Choice, ChooseOptions, Chosen } from './choice.js';
import { MaxHeap } from './max-heap.js';
import { Measurement } from './measurement.js';
import { mostRefreshes, nearlyBest } from './weights.js';

/** Measurements in a step. */
const stepMeasurements = 100;
/** Units that are offered in a step. */
const stepOffers = 250;

/**
 * Chooses units greedily: the next one is always the unit that adds the most worth per token, by itself or together with its two
 * neighbours. One part of a term's worth counts when a unit that contains it is chosen, the rest when that unit's neighbours are chosen
 * too, so passages grow where a neighbour costs less than a line elsewhere. A term adds little once it is contained in what was chosen.
 * This is budgeted maximum coverage (Khuller, Moss, Naor 1999), evaluated lazily (Minoux 1978). Their proof covers neither headings nor
 * passages, which make other units cheaper. Takes n log n time for n units.
 */
export function* choose(candidates: Candidates, options: ChooseOptions): Steps<Chosen> {
  const selection = new Selection(candidates, options);
  yield* selection.run();
  return selection;
}

/** What is chosen so far, and the queue of what may be chosen next. */
class Selection implements Chosen {
  readonly choices: Choice[] = [];
  readonly #heap: MaxHeap;
  /** The worth per token at which each unit was offered last. What it was offered at before is out of date. */
  readonly #offered: Float64Array;
  readonly #units: Measurement;
  #left: number;
  #refreshes: number;

  constructor(
    readonly candidates: Candidates,
    options: ChooseOptions,
  ) {
    const { count } = candidates;
    this.#heap = new MaxHeap();
    this.#offered = new Float64Array(count);
    this.#units = new Measurement(candidates, options);
    this.#left = options.roomTokens;
    this.#refreshes = mostRefreshes * count;
  }

  get lacksRoom(): boolean {
    return this.#units.lacksRoom;
  }

  *run(): Steps<void> {
    const { count } = this.candidates;
    for (let first = 0; first < count; first += stepOffers) {
      this.#offerFrom(first, Math.min(count, first + stepOffers));
      yield;
    }
    while (this.#chooseSome()) yield;
  }

  #offerFrom(first: number, end: number): void {
    for (let index = first; index < end; index += 1) this.#offerAtMost(index);
  }

  /** Chooses for some measurements. False if nothing is left to choose. */
  #chooseSome(): boolean {
    const units = this.#units;
    for (let measured = 0; measured < stepMeasurements; ) {
      const offered = this.#heap.top;
      const index = this.#heap.pop();
      if (index === undefined) return false;
      if (this.#offered[index] !== offered || units.isChosen(index)) continue;
      measured += 1;
      units.measure(index, this.#left);
      const { gain, tokens } = units;
      if (gain <= 0 || !this.#units.fits(this.#left)) continue;
      if (gain / tokens < this.#heap.top * nearlyBest && this.#refreshes > 0) {
        this.#refreshes -= 1;
        this.#push(index, gain / tokens);
        continue;
      }
      this.#left -= tokens;
      const added = units.added();
      this.choices.push({ unit: index, added, tokens, gain });
      this.#take(added);
    }
    return true;
  }

  #take(added: readonly number[]): void {
    const { source, starts } = this.candidates;
    const own = source[added[0] as number] as number;
    const wasShown = this.#units.take(added);
    for (const one of added)
      for (let near = one - 2; near <= one + 2; near += 1) if (source[near] === own) this.#offer(near);
    if (wasShown) return;
    this.#units.show(own);
    for (let other = starts[own] as number; other < (starts[own + 1] as number); other += 1)
      if (!this.#units.isChosen(other)) this.#offerAtMost(other);
  }

  #offer(index: number): void {
    if (this.#units.isChosen(index)) return;
    this.#units.measure(index, Number.POSITIVE_INFINITY);
    const { gain, tokens } = this.#units;
    if (gain > 0) this.#push(index, gain / tokens);
  }

  /** Offers a unit with about the most that it can add for its own tokens. It is measured when its turn comes. */
  #offerAtMost(index: number): void {
    this.#units.estimate(index);
    const { gain, tokens } = this.#units;
    if (gain > 0) this.#push(index, gain / tokens);
  }

  #push(index: number, worthPerToken: number): void {
    this.#offered[index] = worthPerToken;
    this.#heap.push(index, worthPerToken);
  }
}
