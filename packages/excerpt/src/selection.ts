import type { Steps } from '@ctx/core';
import type { Candidates } from './candidates.js';
import type { Choice, ChooseOptions } from './choose.js';
import { Coverage } from './coverage.js';
import { MaxHeap } from './max-heap.js';
import { mostRefreshes, nearlyBest } from './weights.js';

/** Measurements in a step. */
const stepMeasurements = 100;

/** What is chosen so far, and the queue of what may be chosen next. */
export class Selection {
  readonly choices: Choice[] = [];
  readonly #chosen: Uint8Array;
  readonly #shown: Uint8Array;
  readonly #heap = new MaxHeap();
  /** The worth per token at which each unit was offered last. What it was offered at before is out of date. */
  readonly #offered: Float64Array;
  readonly #lines: Coverage;
  readonly #passages: Coverage;
  /** The results of the last measurement: the units that would be added, what they gain and what they take. */
  #added: number[] = [];
  #gain = 0;
  #tokens = 0;

  constructor(
    readonly candidates: Candidates,
    readonly options: ChooseOptions,
  ) {
    const { weights, held } = options;
    this.#chosen = new Uint8Array(candidates.units.length + 1);
    this.#offered = new Float64Array(candidates.units.length);
    this.#shown = new Uint8Array(candidates.headingTokens.length);
    this.#lines = new Coverage(weights, held);
    this.#passages = new Coverage(weights, held);
  }

  *run(): Steps<void> {
    const { units } = this.candidates;
    for (let index = 0; index < units.length; index += 1) {
      this.#offerAtMost(index);
      if (index % (stepMeasurements * 10) === 0) yield;
    }
    let left = this.options.roomTokens;
    let refreshes = mostRefreshes * units.length;
    let measured = 0;
    for (;;) {
      const offered = this.#heap.top;
      const index = this.#heap.pop();
      if (index === undefined) return;
      if (this.#chosen[index] === 1 || this.#offered[index] !== offered) continue;
      measured += 1;
      if (measured % stepMeasurements === 0) yield;
      this.#measure(index, left);
      const gain = this.#gain;
      const tokens = this.#tokens;
      if (gain <= 0 || tokens > left) continue;
      if (gain / tokens < this.#heap.top * nearlyBest && refreshes > 0) {
        refreshes -= 1;
        this.#push(index, gain / tokens);
        continue;
      }
      left -= tokens;
      const added = this.#added;
      this.choices.push({ unit: index, added, tokens, gain });
      this.#take(added);
    }
  }

  #take(added: readonly number[]): void {
    const { terms, headingTerms, source, starts } = this.candidates;
    for (const one of this.#completedBy(added)) this.#passages.hold(terms, one);
    for (const one of added) {
      this.#chosen[one] = 1;
      this.#lines.hold(terms, one);
    }
    for (const one of added) {
      const own = source[one] as number;
      for (let near = one - 2; near <= one + 2; near += 1) if (source[near] === own) this.#offer(near);
    }
    const own = source[added[0] as number] as number;
    if (this.#shown[own] === 1) return;
    this.#shown[own] = 1;
    this.#lines.hold(headingTerms, own);
    this.#passages.hold(headingTerms, own);
    for (let other = starts[own] as number; other < (starts[own + 1] as number); other += 1)
      if (this.#chosen[other] === 0) this.#offerAtMost(other);
  }

  #offer(index: number): void {
    if (this.#chosen[index] === 1) return;
    this.#measure(index, Number.POSITIVE_INFINITY);
    if (this.#gain > 0) this.#push(index, this.#gain / this.#tokens);
  }

  /** Offers a unit with about the most that it can add for its own tokens. It is measured when its turn comes. */
  #offerAtMost(index: number): void {
    this.#lines.begin();
    const { terms, headingTerms, headingTokens, source, weight, tokens } = this.candidates;
    const own = source[index] as number;
    // A passage that is not shown adds at least what its lines add.
    this.#passages.begin();
    let gain = (weight[index] as number) * this.#passages.gainOf(terms, index) + this.#fixedOf(index);
    let sum = Math.max(1, tokens[index] as number);
    if (this.#shown[own] === 0) {
      gain += this.#lines.gainOf(headingTerms, own);
      sum += headingTokens[own] as number;
    }
    if (gain > 0) this.#push(index, gain / sum);
  }

  #push(index: number, worthPerToken: number): void {
    this.#offered[index] = worthPerToken;
    this.#heap.push(index, worthPerToken);
  }

  /** Measures a unit by itself and with its neighbours, and keeps the better of the two that fits. */
  #measure(index: number, left: number): void {
    const { goesOn } = this.candidates;
    const alone = this.#withAbove([index]);
    this.#weigh(alone);
    const gain = this.#gain;
    const tokens = this.#tokens;
    this.#added = alone;
    const passage = [index];
    if (goesOn[index] === 1 && this.#chosen[index - 1] === 0) passage.unshift(index - 1);
    if (goesOn[index + 1] === 1 && this.#chosen[index + 1] === 0) passage.push(index + 1);
    if (passage.length === 1) return;
    const added = this.#withAbove(passage);
    this.#weigh(added);
    if (this.#tokens <= left && this.#gain * tokens > gain * this.#tokens) {
      this.#added = added;
      return;
    }
    this.#gain = gain;
    this.#tokens = tokens;
  }

  /** The units and those that they depend on, without those that are chosen, in order. */
  #withAbove(indexes: number[]): number[] {
    const { above } = this.candidates;
    const count = indexes.length;
    for (let at = 0; at < count; at += 1)
      for (let up = above[indexes[at] as number] as number; up >= 0; up = above[up] as number) {
        if (this.#chosen[up] === 1) break;
        if (!indexes.includes(up)) indexes.push(up);
      }
    return indexes.length > count ? indexes.sort((a, b) => a - b) : indexes;
  }

  /** Computes the gain and the tokens of adding units of one source, with its heading. */
  #weigh(added: readonly number[]): void {
    const { source, terms, headingTerms, headingTokens, tokens, weight, passageShare, shared, goesOn } =
      this.candidates;
    const own = source[added[0] as number] as number;
    const gap = this.candidates.gapTokens[own] as number;
    this.#lines.begin();
    this.#passages.begin();
    let gain = 0;
    let sum = 0;
    if (this.#shown[own] === 0) {
      sum += headingTokens[own] as number;
      gain += this.#lines.gainOf(headingTerms, own);
    }
    for (const one of added) {
      gain += this.#lineShare(one) * this.#lines.gainOf(terms, one) + this.#fixedOf(one);
      sum += tokens[one] as number;
      const before = this.#isThere(one - 1, added);
      const after = this.#chosen[one + 1] === 1;
      if (before) sum -= shared[one - 1] as number;
      if (after) sum -= shared[one] as number;
      if (!(before && goesOn[one] === 1)) sum += gap;
      if (after && goesOn[one + 1] === 1) sum -= gap;
    }
    for (const one of this.#completedBy(added))
      gain += (weight[one] as number) * (passageShare[one] as number) * this.#passages.gainOf(terms, one);
    this.#gain = gain;
    this.#tokens = Math.max(1, sum);
  }

  #fixedOf(unit: number): number {
    return this.options.fixed?.[unit] ?? 0;
  }

  #lineShare(unit: number): number {
    const { weight, passageShare } = this.candidates;
    return (weight[unit] as number) * (1 - (passageShare[unit] as number));
  }

  /** The units whose passage is whole once these are added, and was not before. */
  #completedBy(added: readonly number[]): number[] {
    const { goesOn } = this.candidates;
    const whole: number[] = [];
    for (const one of added) {
      if (this.#isWhole(one, added)) whole.push(one);
      if (goesOn[one] === 1 && this.#chosen[one - 1] === 1 && this.#isWhole(one - 1, added))
        whole.push(one - 1);
      const next = one + 1;
      if (
        goesOn[next] === 1 &&
        this.#chosen[next] === 1 &&
        !whole.includes(next) &&
        this.#isWhole(next, added)
      )
        whole.push(next);
    }
    return whole;
  }

  #isWhole(index: number, added: readonly number[]): boolean {
    const { goesOn } = this.candidates;
    return (
      (goesOn[index] === 0 || this.#isThere(index - 1, added)) &&
      (goesOn[index + 1] === 0 || this.#isThere(index + 1, added))
    );
  }

  #isThere(index: number, added: readonly number[]): boolean {
    return this.#chosen[index] === 1 || (index >= 0 && added.includes(index));
  }
}
