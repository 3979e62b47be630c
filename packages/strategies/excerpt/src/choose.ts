import type { Steps } from '@ctx/core';
import type { Candidate, Candidates, Heading } from './candidates.js';
import { MaxHeap } from './max-heap.js';
import { fewestForPassages, mostTries, nearly, passageShare, repeatedWeight, spare } from './weights.js';

/** A unit that was chosen, with the units that were added with it. */
export interface Choice {
  /** The position of the unit among the candidates. */
  readonly unit: number;
  /** The positions of everything added: the unit and its neighbours, in order. */
  readonly added: readonly number[];
  /** Estimated tokens of everything added, with the heading. */
  readonly tokens: number;
  /** The worth that everything added contributed. */
  readonly gain: number;
}

export interface Chosen {
  /** In the order in which they were chosen. */
  readonly choices: readonly Choice[];
  /** Whether something might be chosen otherwise if there was more room. */
  readonly lacksRoom: boolean;
}

export interface ChooseOptions {
  /** The most tokens of all choices together, by their estimates. */
  readonly roomTokens: number;
  /** The worth of each term, by id. */
  readonly weights: Float64Array;
  /** For each term, how many of the texts that stay contain it. */
  readonly held: Uint8Array;
  /** What each unit is worth besides its terms, whatever else is chosen. */
  readonly fixed?: Float64Array | undefined;
}

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
  lacksRoom: boolean;
  readonly #units: readonly Candidate[];
  readonly #headings: readonly Heading[];
  readonly #fixed: ArrayLike<number> | undefined;
  /** For each unit whether it is chosen, and for each source whether its heading is. */
  readonly #isChosen: boolean[];
  readonly #isShown: boolean[];
  readonly #lines: Coverage;
  readonly #passages: Coverage;
  /** How much passages count against single lines, 0–1. */
  readonly #share: number;
  readonly #heap = new MaxHeap();
  /** The worth per token at which each unit was offered last. What it was offered at before is out of date. */
  readonly #offered: number[];
  #left: number;
  #refreshes: number;

  constructor({ units, headings }: Candidates, { roomTokens, weights, held, fixed }: ChooseOptions) {
    this.#units = units;
    this.#headings = headings;
    this.#fixed = fixed;
    this.#isChosen = [...units.map(() => false), false];
    this.#isShown = headings.map(() => false);
    this.#offered = units.map(() => 0);
    this.#lines = new Coverage(weights, held);
    this.#passages = new Coverage(weights, held);
    const tokens = units.reduce((sum, unit) => sum + unit.tokens, 0);
    this.#share = Math.max(0, Math.min(1, roomTokens / (spare * fewestForPassages * tokens)));
    this.lacksRoom = this.#share < 1;
    this.#left = roomTokens;
    this.#refreshes = mostTries * units.length;
  }

  *run(): Steps<void> {
    for (let at = 0; at < this.#units.length; at += 1) {
      if (at % stepOffers === stepOffers - 1) yield;
      this.#offerAtMost(at);
    }
    yield;
    while (this.#chooseSome()) yield;
  }

  /** Chooses for some measurements. False if nothing is left to choose. */
  #chooseSome(): boolean {
    for (let measured = 0; measured < stepMeasurements; ) {
      const offered = this.#heap.top;
      const unit = this.#heap.pop();
      if (unit === undefined) return false;
      if (this.#offered[unit] !== offered || this.#isChosen[unit]) continue;
      measured += 1;
      const best = this.#measured(unit, this.#left);
      if (best.gain <= 0 || !this.#fits(best.tokens, this.#left)) continue;
      if (best.gain / best.tokens < this.#heap.top * nearly && this.#refreshes > 0) {
        this.#refreshes -= 1;
        this.#offer(unit, best);
      } else this.#choose(unit, best);
    }
    return true;
  }

  #choose(unit: number, { first, last, tokens, gain }: Measured): void {
    this.#left -= tokens;
    const added = Array.from({ length: last - first + 1 }, (_, at) => first + at);
    this.choices.push({ unit, added, tokens, gain });
    for (const one of added) {
      this.#isChosen[one] = true;
      this.#lines.hold((this.#units[one] as Candidate).terms);
    }
    for (const one of this.#completedBy(first, last))
      this.#passages.hold((this.#units[one] as Candidate).terms);
    const { source } = this.#units[unit] as Candidate;
    for (let near = first - 2; near <= last + 2; near += 1)
      if (this.#units[near]?.source === source && !this.#isChosen[near])
        this.#offer(near, this.#measured(near, Number.POSITIVE_INFINITY));
    if (this.#isShown[source]) return;
    this.#isShown[source] = true;
    const { terms, start, end } = this.#headings[source] as Heading;
    this.#lines.hold(terms);
    this.#passages.hold(terms);
    // Without the price of the heading, the others are cheaper.
    for (let other = start; other < end; other += 1) if (!this.#isChosen[other]) this.#offerAtMost(other);
  }

  #offer(unit: number, { gain, tokens }: Pick<Measured, 'gain' | 'tokens'>): void {
    if (gain <= 0) return;
    this.#offered[unit] = gain / tokens;
    this.#heap.push(unit, gain / tokens);
  }

  /** Offers a unit with about the most that it can add for its own tokens. It is measured when its turn comes. */
  #offerAtMost(at: number): void {
    const { terms, weight, tokens, source } = this.#units[at] as Candidate;
    // A passage that is not shown adds at least what its lines add.
    this.#passages.begin();
    const gain = weight * this.#passages.gainOf(terms) + (this.#fixed?.[at] ?? 0);
    this.#lines.begin();
    const heading = this.#headingOf(source);
    this.#offer(at, { gain: gain + heading.gain, tokens: Math.max(1, tokens) + heading.tokens });
  }

  /** Measures a unit by itself and with its neighbours, and returns the better of the two that fits. */
  #measured(unit: number, left: number): Measured {
    const first = this.#goesOn(unit) && !this.#isChosen[unit - 1] ? unit - 1 : unit;
    const last = this.#goesOn(unit + 1) && !this.#isChosen[unit + 1] ? unit + 1 : unit;
    const alone = this.#weighed(unit, unit);
    if (first === last) return alone;
    const passage = this.#weighed(first, last);
    const isBetter = passage.gain * alone.tokens > alone.gain * passage.tokens;
    return isBetter && this.#fits(passage.tokens, left) ? passage : alone;
  }

  #fits(tokens: number, left: number): boolean {
    if (tokens > left) this.lacksRoom = true;
    return tokens <= left;
  }

  /** What adding these units, which follow each other, gains and costs. */
  #weighed(first: number, last: number): Measured {
    this.#lines.begin();
    this.#passages.begin();
    let { gain, tokens } = this.#headingOf((this.#units[first] as Candidate).source);
    for (let at = first; at <= last; at += 1) {
      const one = this.#units[at] as Candidate;
      const isAfter = at > first || (at > 0 && this.#isChosen[at - 1] === true);
      const share = 1 - this.#share * passageShare;
      gain += one.weight * share * this.#lines.gainOf(one.terms) + (this.#fixed?.[at] ?? 0);
      tokens += one.tokens;
      if (!(isAfter && one.goesOn)) tokens += one.gap;
      const next = this.#isChosen[at + 1] ? this.#units[at + 1] : undefined;
      if (next?.goesOn) tokens -= one.gap;
    }
    for (let at = first; at <= last; at += 1) this.#isChosen[at] = true;
    for (const at of this.#completedBy(first, last)) {
      const { terms, weight } = this.#units[at] as Candidate;
      gain += weight * this.#share * passageShare * this.#passages.gainOf(terms);
    }
    for (let at = first; at <= last; at += 1) this.#isChosen[at] = false;
    return { first, last, gain, tokens: Math.max(1, tokens) };
  }

  /** What a heading adds and costs if it is not shown yet. */
  #headingOf(source: number): Pick<Measured, 'gain' | 'tokens'> {
    if (this.#isShown[source]) return { gain: 0, tokens: 0 };
    const { terms, tokens, weight } = this.#headings[source] as Heading;
    return { gain: weight * this.#lines.gainOf(terms), tokens };
  }

  /** The chosen units whose neighbours are all there, and were not before these were chosen. */
  #completedBy(first: number, last: number): number[] {
    const whole: number[] = [];
    for (let at = first; at <= last; at += 1) if (this.#isWhole(at)) whole.push(at);
    if (this.#goesOn(first) && this.#isWhole(first - 1)) whole.push(first - 1);
    if (this.#goesOn(last + 1) && this.#isWhole(last + 1)) whole.push(last + 1);
    return whole;
  }

  #isWhole(at: number): boolean {
    const isChosen = this.#isChosen;
    if (!isChosen[at] || (this.#goesOn(at) && !isChosen[at - 1])) return false;
    return isChosen[at + 1] === true || !this.#goesOn(at + 1);
  }

  #goesOn(at: number): boolean {
    return at < this.#units.length && (this.#units[at] as Candidate).goesOn;
  }
}

interface Measured {
  readonly first: number;
  readonly last: number;
  readonly gain: number;
  readonly tokens: number;
}

/** What each term would still add, by how many of the texts that stay contain it. */
class Coverage {
  readonly #held: number[];
  readonly #worth: number[] = [];
  /** For each term, the measurement in which it was last counted. */
  readonly #counted: number[];
  #measurement = 0;

  constructor(
    readonly weights: Float64Array,
    held: Uint8Array,
  ) {
    this.#held = [...held];
    this.#counted = this.#held.map(() => 0);
    for (const term of weights.keys()) this.#worth.push(this.#worthOf(term));
  }

  #worthOf(term: number): number {
    return (this.weights[term] as number) * repeatedWeight ** (this.#held[term] as number);
  }

  /** Begins a measurement, in which each term counts once. */
  begin(): void {
    this.#measurement += 1;
  }

  /** What the terms would add that have not been counted in this measurement. */
  gainOf(terms: readonly number[]): number {
    let worth = 0;
    for (const term of terms) {
      if (this.#counted[term] === this.#measurement) continue;
      this.#counted[term] = this.#measurement;
      worth += this.#worth[term] as number;
    }
    return worth;
  }

  /** Counts one more text that contains the terms. */
  hold(terms: readonly number[]): void {
    for (const term of terms) {
      this.#held[term] = (this.#held[term] as number) + 1;
      this.#worth[term] = this.#worthOf(term);
    }
  }
}

/** For each term, how many texts contain it (at most 255), after these texts' terms are added. */
export function heldWith(held: Uint8Array, terms: Iterable<ArrayLike<number>>): Uint8Array {
  const more = held.slice();
  hold(more, terms);
  return more;
}

/** Adds these texts' terms to the numbers of texts that contain each term. */
export function hold(held: Uint8Array, terms: Iterable<ArrayLike<number>>): void {
  for (const some of terms)
    for (const term of Array.from(some)) held[term] = Math.min(255, (held[term] as number) + 1);
}
