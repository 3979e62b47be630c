import type { Candidates } from './candidates.js';
import type { ChooseOptions } from './choice.js';
import { Coverage } from './coverage.js';
import {
  gapColumn,
  passageShareColumn,
  rowWidth,
  sharedColumn,
  sourceColumn,
  tokensColumn,
  weightColumn,
} from './unit-rows.js';
import { fewestForPassages, leastPassages, spare } from './weights.js';

/** Measures what units would add to those that are chosen. */
export class Measurement {
  /** The results of the last measurement: what the units gain and the tokens that they take. */
  gain = 0;
  tokens = 0;
  /** Whether with more room something would have been measured otherwise, or would have fitted. */
  lacksRoom: boolean;
  /** How much passages count against single lines, 0–1. */
  readonly #share: number;
  readonly #chosen: Uint8Array;
  readonly #shown: Uint8Array;
  readonly #lines: Coverage;
  readonly #passages: Coverage;
  #first = 0;
  #last = 0;

  constructor(
    readonly candidates: Candidates,
    readonly options: ChooseOptions,
  ) {
    const { weights, held, roomTokens } = options;
    const { count, rows } = candidates;
    let tokens = 0;
    for (let unit = 0; unit < count; unit += 1) tokens += rows[unit * rowWidth + tokensColumn] as number;
    this.#share = Math.max(leastPassages, Math.min(1, roomTokens / (spare * fewestForPassages * tokens)));
    this.lacksRoom = this.#share < 1;
    this.#chosen = new Uint8Array(count + 1);
    this.#shown = new Uint8Array(candidates.headingTokens.length);
    this.#lines = new Coverage(weights, held);
    this.#passages = new Coverage(weights, held);
  }

  isChosen(unit: number): boolean {
    return this.#chosen[unit] === 1;
  }

  /** The units that were measured last, in order. */
  added(): number[] {
    const added = [this.#first];
    for (let one = this.#first + 1; one <= this.#last; one += 1) added.push(one);
    return added;
  }

  /** Counts units of one source as chosen. Returns whether its heading was shown before. */
  take(added: readonly number[]): boolean {
    const { terms, source } = this.candidates;
    for (const one of this.#completedBy(added)) this.#passages.hold(terms, one);
    for (const one of added) {
      this.#chosen[one] = 1;
      this.#lines.hold(terms, one);
    }
    return this.#shown[source[added[0] as number] as number] === 1;
  }

  /** Counts the heading of a source as shown. */
  show(source: number): void {
    const { headingTerms } = this.candidates;
    this.#shown[source] = 1;
    this.#lines.hold(headingTerms, source);
    this.#passages.hold(headingTerms, source);
  }

  /** Measures about the most that a unit can add for its own tokens. */
  estimate(unit: number): void {
    const { terms, headingTerms, headingTokens, headingWeight, source, rows } = this.candidates;
    const own = source[unit] as number;
    const row = unit * rowWidth;
    // A passage that is not shown adds at least what its lines add.
    this.#passages.begin();
    this.gain =
      (rows[row + weightColumn] as number) * this.#passages.gainOf(terms, unit) + this.#fixedOf(unit);
    this.tokens = Math.max(1, rows[row + tokensColumn] as number);
    if (this.#shown[own] === 1) return;
    this.#lines.begin();
    this.gain += (headingWeight[own] as number) * this.#lines.gainOf(headingTerms, own);
    this.tokens += headingTokens[own] as number;
  }

  /** Measures a unit by itself and with its neighbours, and keeps the better of the two that fits. */
  measure(unit: number, left: number): void {
    const { goesOn } = this.candidates;
    const first = goesOn[unit] === 1 && this.#chosen[unit - 1] === 0 ? unit - 1 : unit;
    const last = goesOn[unit + 1] === 1 && this.#chosen[unit + 1] === 0 ? unit + 1 : unit;
    this.#weigh(unit, unit);
    if (first === last) return;
    const { gain, tokens } = this;
    this.#weigh(first, last);
    if (this.gain * tokens > gain * this.tokens && this.fits(left)) return;
    this.gain = gain;
    this.tokens = tokens;
    this.#first = unit;
    this.#last = unit;
  }

  /** Whether there is room for the units that were measured last. */
  fits(left: number): boolean {
    if (this.tokens <= left) return true;
    this.lacksRoom = true;
    return false;
  }

  /** Computes the gain and the tokens of adding neighbours. */
  #weigh(first: number, last: number): void {
    this.#first = first;
    this.#last = last;
    const { terms, goesOn } = this.candidates;
    const chosen = this.#chosen;
    this.#begin(first);
    for (let one = first; one <= last; one += 1) {
      this.#addLine(one, one > first || (one > 0 && chosen[one - 1] === 1), chosen[one + 1] === 1);
    }
    const passages = this.#passages;
    const isBefore = goesOn[first] === 1 && chosen[first - 1] === 1;
    const isAfter = goesOn[last + 1] === 1 && chosen[last + 1] === 1;
    for (let one = first; one <= last; one += 1) {
      const hasBefore = one > first || isBefore || goesOn[one] === 0;
      const hasAfter = one < last || isAfter || goesOn[one + 1] === 0;
      if (hasBefore && hasAfter) this.gain += this.#passageWeight(one) * passages.gainOf(terms, one);
      if (one === first && isBefore && (goesOn[first - 1] === 0 || chosen[first - 2] === 1))
        this.gain += this.#passageWeight(first - 1) * passages.gainOf(terms, first - 1);
      if (one === last && isAfter && (goesOn[last + 2] === 0 || chosen[last + 2] === 1))
        this.gain += this.#passageWeight(last + 1) * passages.gainOf(terms, last + 1);
    }
    this.tokens = Math.max(1, this.tokens);
  }

  /** Begins a measurement with the heading of a unit's source. */
  #begin(unit: number): void {
    const { headingTerms, headingTokens, headingWeight, rows } = this.candidates;
    const own = rows[unit * rowWidth + sourceColumn] as number;
    this.#lines.begin();
    this.#passages.begin();
    const isShown = this.#shown[own] === 1;
    this.gain = isShown ? 0 : (headingWeight[own] as number) * this.#lines.gainOf(headingTerms, own);
    this.tokens = isShown ? 0 : (headingTokens[own] as number);
  }

  /** Adds what a unit gains and takes by itself, given whether the units before and after it are there. */
  #addLine(one: number, before: boolean, after: boolean): void {
    const { terms, goesOn, rows } = this.candidates;
    const row = one * rowWidth;
    const share = this.#share * (rows[row + passageShareColumn] as number);
    const gap = rows[row + gapColumn] as number;
    this.gain +=
      (rows[row + weightColumn] as number) * (1 - share) * this.#lines.gainOf(terms, one) +
      this.#fixedOf(one);
    let sum = this.tokens + (rows[row + tokensColumn] as number);
    if (before) sum -= rows[row - rowWidth + sharedColumn] as number;
    if (after) sum -= rows[row + sharedColumn] as number;
    if (!(before && goesOn[one] === 1)) sum += gap;
    if (after && goesOn[one + 1] === 1) sum -= gap;
    this.tokens = sum;
  }

  /** A factor on what a unit gains as a part of a passage. */
  #passageWeight(unit: number): number {
    const { rows } = this.candidates;
    const row = unit * rowWidth;
    return (rows[row + weightColumn] as number) * (this.#share * (rows[row + passageShareColumn] as number));
  }

  #fixedOf(unit: number): number {
    return this.options.fixed?.[unit] ?? 0;
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
    return index >= 0 && (this.#chosen[index] === 1 || added.includes(index));
  }
}
