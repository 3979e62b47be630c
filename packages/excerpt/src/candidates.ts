import type { Steps } from '@ctx/core';
import type { ReadSection } from './conversation-index.js';
import { headingUnit, type Unit } from './units.js';
import { deepestUnder, gapTokens, headingTokens, lineTokens, talkGapTokens } from './weights.js';

/** A section whose units may be chosen. */
export interface Source extends Pick<ReadSection, 'section' | 'units' | 'headingTerms'> {
  /** A factor on the worth of its units. */
  readonly weight: number;
  /** Whether it is a turn of talk, which shares its heading with the turns around it. */
  readonly isTalk?: boolean;
}

/** Many lists of terms in one array. List `i` goes from `ends[i]` to `ends[i + 1]`. */
export interface TermLists {
  readonly items: Int32Array;
  readonly ends: Int32Array;
}

/**
 * The units that may be chosen, in order, as columns. With a million units, following references to objects would take most of the time.
 */
export interface Candidates {
  readonly units: readonly Unit[];
  /** The position of each unit's source. */
  readonly source: Int32Array;
  /** The position of each source's first unit; the last entry is the number of units. */
  readonly starts: Int32Array;
  /** Estimated tokens. */
  readonly tokens: Float64Array;
  /** A factor on the worth of each unit. */
  readonly weight: Float64Array;
  /** The share of a unit's worth that counts only if its neighbours are kept too. */
  readonly passageShare: Float64Array;
  /** 1 if the unit goes on where the unit before it ends. */
  readonly goesOn: Uint8Array;
  /** Tokens that a unit shares with the next one. */
  readonly shared: Float64Array;
  /** The position of the unit that each unit depends on; -1 for none. */
  readonly above: Int32Array;
  readonly terms: TermLists;
  readonly headingTerms: TermLists;
  /** Estimated tokens of each source's heading. */
  readonly headingTokens: Float64Array;
  /** Extra tokens of each passage of a source. */
  readonly gapTokens: Float64Array;
}

/** Units copied in a step. */
const stepUnits = 1_000;

/**
 * Lists the units of sources.
 * @param tokensPerCharacter to estimate tokens
 */
export function* candidatesOf(sources: readonly Source[], tokensPerCharacter: number): Steps<Candidates> {
  const { count, termCount } = yield* sizeOf(sources);
  const units = new Array<Unit>(count);
  const source = new Int32Array(count);
  const starts = new Int32Array(sources.length + 1);
  const tokens = new Float64Array(count);
  const weight = new Float64Array(count);
  const passageShare = new Float64Array(count);
  const goesOn = new Uint8Array(count + 1);
  const shared = new Float64Array(count);
  const above = new Int32Array(count).fill(-1);
  const depth = new Uint8Array(count);
  const terms = { items: new Int32Array(termCount), ends: new Int32Array(count + 1) };
  let at = 0;
  let termAt = 0;
  for (const [position, one] of sources.entries()) {
    starts[position] = at;
    const first = at;
    const own = isCall(one.section) ? [headingUnit, ...one.units] : one.units;
    for (const unit of own) {
      units[at] = unit;
      source[at] = position;
      tokens[at] = unit.position < 0 ? 0 : (unit.end - unit.start) * tokensPerCharacter + lineTokens;
      weight[at] = unit.weight * one.weight;
      passageShare[at] = unit.passageShare;
      goesOn[at] = at > first && unit.goesOn ? 1 : 0;
      const up = unit.under < 0 ? -1 : at - unit.position + unit.under;
      if (up >= 0 && (depth[up] as number) < deepestUnder) {
        above[at] = up;
        depth[at] = (depth[up] as number) + 1;
      }
      if (at > first) shared[at - 1] = overlap(units[at - 1] as Unit, unit) * tokensPerCharacter;
      for (const term of unit.terms) terms.items[termAt++] = term;
      at += 1;
      terms.ends[at] = termAt;
      if (at % stepUnits === 0) yield;
    }
  }
  starts[sources.length] = count;
  return {
    units,
    source,
    starts,
    tokens,
    weight,
    passageShare,
    goesOn,
    shared,
    above,
    terms,
    headingTerms: termLists(sources.map(({ headingTerms }) => headingTerms)),
    headingTokens: Float64Array.from(sources, ({ section, isTalk }) =>
      isTalk === true ? 0 : section.heading.length * tokensPerCharacter + headingTokens,
    ),
    gapTokens: Float64Array.from(sources, ({ isTalk }) => (isTalk === true ? talkGapTokens : gapTokens)),
  };
}

function* sizeOf(sources: readonly Source[]): Steps<{ count: number; termCount: number }> {
  let count = 0;
  let termCount = 0;
  for (const [position, { section, units }] of sources.entries()) {
    count += units.length + (isCall(section) ? 1 : 0);
    for (const unit of units) termCount += unit.terms.length;
    if (position % stepUnits === 0) yield;
  }
  return { count, termCount };
}

function isCall({ kind }: Source['section']): boolean {
  return kind === 'call' || kind === 'failure';
}

/** The characters that a unit shares with its neighbour in the same line. */
function overlap(unit: Unit, neighbour: Unit): number {
  if (unit.block !== neighbour.block) return 0;
  return Math.max(0, Math.min(unit.end, neighbour.end) - Math.max(unit.start, neighbour.start));
}

function termLists(lists: readonly (readonly number[])[]): TermLists {
  const ends = new Int32Array(lists.length + 1);
  lists.forEach((terms, index) => {
    ends[index + 1] = (ends[index] as number) + terms.length;
  });
  return { items: Int32Array.from(lists.flat()), ends };
}
