import { abovePositions } from './above.js';
import { MaxHeap } from './max-heap.js';
import type { Unit } from './units.js';
import { decay, mostRefreshes, nearlyBest } from './weights.js';

/** The heading of a section. It is added with the first chosen unit of the section. */
export interface Heading {
  readonly terms: readonly number[];
  /** Estimated tokens. */
  readonly tokens: number;
}

/** A unit that was chosen. */
export interface Choice {
  readonly unit: Unit;
  /** Estimated tokens of the unit and everything that had to be added with it. */
  readonly tokens: number;
  /** The worth that the unit and everything added with it contributed. */
  readonly gain: number;
}

export interface ChooseOptions {
  /** The most tokens of all choices together, by their estimates. */
  readonly roomTokens: number;
  /** The worth of each term, by id. */
  readonly weights: Float64Array;
  /** For each term, how many of the texts that stay contain it. */
  readonly held: Uint8Array;
}

/**
 * Chooses units greedily: the next one is always the unit that adds the most worth per token. A term adds little once a chosen unit
 * contains it. This is budgeted maximum coverage (Khuller, Moss, Naor 1999), evaluated lazily (Minoux 1978). They prove that the greedy
 * choice by ratio reaches (1 − 1/e)/2 of the optimum if the single best unit is considered too. Their proof does not cover headings,
 * which are paid for once and make the other units of the section cheaper. Takes n log n time for n units.
 */
export function choose(
  units: readonly Unit[],
  headings: readonly Heading[],
  options: ChooseOptions,
): Choice[] {
  return new Selection(units, headings, options).choices;
}

/** Uses flat arrays indexed by position: with a million units, following object references would take most of the time. */
class Selection {
  readonly choices: Choice[] = [];
  readonly #chosen: Uint8Array;
  readonly #shown: Uint8Array;
  readonly #heap = new MaxHeap();
  readonly #above: Int32Array;
  readonly #section: Int32Array;
  readonly #sectionStart: Int32Array;
  readonly #tokensOf: Float64Array;
  readonly #weightOf: Float64Array;
  /** Tokens that a unit shares with the next one. */
  readonly #shared: Float64Array;
  readonly #terms: FlatLists;
  readonly #headingTerms: FlatLists;
  /** The worth that each term would add now. */
  readonly #worth: Float64Array;
  /** For each term, how many texts contain it now, including the chosen units. */
  readonly #held: Uint8Array;
  /** The results of the last call of `#measure`. */
  #gain = 0;
  #tokens = 0;

  constructor(
    readonly units: readonly Unit[],
    readonly headings: readonly Heading[],
    readonly options: ChooseOptions,
  ) {
    const { weights, held } = options;
    this.#chosen = new Uint8Array(units.length);
    this.#shown = new Uint8Array(headings.length);
    this.#above = abovePositions(units);
    this.#section = Int32Array.from(units, ({ section }) => section);
    this.#sectionStart = sectionStarts(units, headings.length);
    this.#tokensOf = Float64Array.from(units, ({ tokens }) => tokens);
    this.#weightOf = Float64Array.from(units, ({ weight }) => weight);
    this.#shared = Float64Array.from(units, (unit, index) => overlap(unit, units[index + 1]));
    this.#terms = flatLists(units);
    this.#headingTerms = flatLists(headings);
    this.#held = held.slice();
    this.#worth = weights.map((weight, term) => weight * (shareLeft[held[term] as number] as number));
    for (let index = 0; index < units.length; index += 1) this.#offer(index);
    this.#run();
  }

  #run(): void {
    const { units, options } = this;
    let left = options.roomTokens;
    let refreshes = mostRefreshes * units.length;
    for (let index = this.#heap.pop(); index !== undefined; index = this.#heap.pop()) {
      if (this.#chosen[index] === 1) continue;
      this.#measure(index);
      const gain = this.#gain;
      const tokens = this.#tokens;
      if (gain <= 0 || tokens > left) continue;
      // Gains only fall as units are chosen, so a unit that still leads with its new gain is ahead of all others.
      if (gain / tokens < this.#heap.top * nearlyBest && refreshes > 0) {
        refreshes -= 1;
        this.#heap.push(index, gain / tokens);
        continue;
      }
      left -= tokens;
      this.choices.push({ unit: units[index] as Unit, tokens, gain });
      this.#take(index);
    }
  }

  #take(index: number): void {
    for (let one = index; one >= 0 && this.#chosen[one] === 0; one = this.#above[one] as number) {
      this.#chosen[one] = 1;
      this.#hold(this.#terms, one);
    }
    if (index > 0 && (this.#shared[index - 1] as number) > 0) this.#offer(index - 1);
    if ((this.#shared[index] as number) > 0) this.#offer(index + 1);
    const section = this.#section[index] as number;
    if (this.#shown[section] === 1) return;
    this.#shown[section] = 1;
    this.#hold(this.#headingTerms, section);
    for (let other = this.#sectionStart[section] as number; this.#section[other] === section; other += 1)
      this.#offer(other);
  }

  #offer(index: number): void {
    if (this.#chosen[index] === 1) return;
    this.#measure(index);
    if (this.#gain > 0) this.#heap.push(index, this.#gain / this.#tokens);
  }

  /** Computes the gain and the tokens of a unit, including everything that must be added with it. */
  #measure(index: number): void {
    const section = this.#section[index] as number;
    let gain = (this.#weightOf[index] as number) * this.#worthOf(this.#terms, index);
    let tokens = this.#tokensOf[index] as number;
    if (index > 0 && this.#chosen[index - 1] === 1) tokens -= this.#shared[index - 1] as number;
    if (this.#chosen[index + 1] === 1) tokens -= this.#shared[index] as number;
    tokens = Math.max(1, tokens);
    for (let above = this.#above[index] as number; above >= 0; above = this.#above[above] as number) {
      if (this.#chosen[above] === 1) break;
      tokens += this.#tokensOf[above] as number;
      gain += (this.#weightOf[above] as number) * this.#worthOf(this.#terms, above);
    }
    if (this.#shown[section] === 0) {
      tokens += (this.headings[section] as Heading).tokens;
      gain += this.#worthOf(this.#headingTerms, section);
    }
    this.#gain = gain;
    this.#tokens = tokens;
  }

  #worthOf({ items, ends }: FlatLists, position: number): number {
    let worth = 0;
    for (let at = ends[position] as number; at < (ends[position + 1] as number); at += 1)
      worth += this.#worth[items[at] as number] as number;
    return worth;
  }

  #hold({ items, ends }: FlatLists, position: number): void {
    const { weights } = this.options;
    for (let at = ends[position] as number; at < (ends[position + 1] as number); at += 1) {
      const term = items[at] as number;
      const times = Math.min(255, (this.#held[term] as number) + 1);
      this.#held[term] = times;
      this.#worth[term] = (weights[term] as number) * (shareLeft[times] as number);
    }
  }
}

/** The share of a term's worth that remains, by the number of texts that contain the term. */
const shareLeft = Float64Array.from({ length: 256 }, (_, times) => decay ** times);

/** Many lists in one array. List `i` goes from `ends[i]` to `ends[i + 1]`. */
interface FlatLists {
  readonly items: Int32Array;
  readonly ends: Int32Array;
}

function flatLists(lists: readonly { readonly terms: readonly number[] }[]): FlatLists {
  const ends = new Int32Array(lists.length + 1);
  lists.forEach(({ terms }, index) => {
    ends[index + 1] = (ends[index] as number) + terms.length;
  });
  const items = new Int32Array(ends[lists.length] as number);
  lists.forEach(({ terms }, index) => {
    items.set(terms, ends[index]);
  });
  return { items, ends };
}

/** The position of the first unit of each section; -1 if it has none. The units of a section are contiguous. */
function sectionStarts(units: readonly Unit[], sections: number): Int32Array {
  const starts = new Int32Array(sections).fill(-1);
  units.forEach(({ section }, index) => {
    if (starts[section] === -1) starts[section] = index;
  });
  return starts;
}

/** Tokens that a unit shares with its neighbour in the same line. */
function overlap(unit: Unit, neighbour: Unit | undefined): number {
  if (neighbour === undefined || neighbour.section !== unit.section || neighbour.block !== unit.block)
    return 0;
  const shared = Math.min(unit.end, neighbour.end) - Math.max(unit.start, neighbour.start);
  return shared <= 0 ? 0 : (unit.tokens * shared) / (unit.end - unit.start);
}
