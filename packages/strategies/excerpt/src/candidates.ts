import type { Steps } from '@ctx/core';
import type { ReadSection } from './conversation-index.js';
import {
  formWeightColumn,
  gapColumn,
  passageShareColumn,
  rowWidth,
  sharedColumn,
  sourceColumn,
  tokensColumn,
  weightColumn,
} from './unit-rows.js';
import type { Unit } from './units.js';
import {
  bulkWeight,
  gapTokens,
  headingTokens,
  jsonPassageShare,
  lineTokens,
  passageShare,
  talkGapTokens,
} from './weights.js';

/** A section whose units may be chosen. */
export interface Source extends Pick<ReadSection, 'section' | 'units' | 'headingTerms'> {
  /** A factor on the worth of its units. */
  readonly weight: number;
  /** Whether the user has named what a term stands for: a unit with it is worth as much however many others have its form. @default false */
  isNamed?(term: number): boolean;
  /** A part of the weight, 0–1, that is small for what is no longer so. @default 1 */
  readonly stateWeight?: number;
  /** A factor on the worth of its heading. @default 1 */
  readonly headingWeight?: number;
  /** Whether it is a turn of talk, which shares its heading with the turns around it. */
  readonly isTalk?: boolean;
}

/** Many lists of terms in one array. List `i` goes from `ends[i]` to `ends[i + 1]`. */
export interface TermLists {
  readonly items: Int32Array;
  readonly ends: Int32Array;
}

/**
 * The units that may be chosen, in order, as numbers. With a million units, following references to objects would take most of the time.
 */
export interface Candidates {
  /** The number of units. */
  readonly count: number;
  /** The position of each unit's source. */
  readonly source: Int32Array;
  /** The position of each unit among those of its source; -1 for the heading alone, which adds no line. */
  readonly position: Int32Array;
  /** The position of each source's first unit; the last entry is the number of units. */
  readonly starts: Int32Array;
  /** What is measured of each unit: a row of `rowWidth` columns. */
  readonly rows: Float64Array;
  /** 1 if the unit goes on where the unit before it ends. */
  readonly goesOn: Uint8Array;
  readonly terms: TermLists;
  readonly headingTerms: TermLists;
  /** Estimated tokens of each source's heading, and a factor on its worth. */
  readonly headingTokens: Float64Array;
  readonly headingWeight: Float64Array;
}

/** Estimated tokens of a unit. */
export function tokensOfUnit({ rows }: Candidates, unit: number): number {
  return rows[unit * rowWidth + tokensColumn] as number;
}

/** Units copied in a step. */
const stepUnits = 1_000;
/** Sources whose units are counted in a step. */
const stepSources = 500;

/** Candidates that are being written, with how far they are. */
type Written = { -readonly [Column in keyof Candidates]: Candidates[Column] };

/**
 * Lists the units of sources.
 * @param tokensPerCharacter to estimate tokens
 */
export function* candidatesOf(sources: readonly Source[], tokensPerCharacter: number): Steps<Candidates> {
  const written = emptyFor(sources, tokensPerCharacter, yield* sizeOf(sources));
  yield;
  let next = stepUnits;
  for (let position = 0; position < sources.length; position += 1) {
    const source = sources[position] as Source;
    written.starts[position] = written.count;
    if (isCall(source.section)) addHeading(written, source, position);
    for (let first = 0; first < source.units.length; first += stepUnits) {
      addUnits(written, source, position, { first, tokensPerCharacter });
      if (written.count < next) continue;
      next = written.count + stepUnits;
      yield;
    }
  }
  written.starts[sources.length] = written.count;
  return written;
}

function* sizeOf(sources: readonly Source[]): Steps<{ count: number; termCount: number }> {
  let count = 0;
  let termCount = 0;
  for (let position = 0; position < sources.length; position += 1) {
    const { section, units } = sources[position] as Source;
    count += units.length + (isCall(section) ? 1 : 0);
    for (const { terms } of units) termCount += terms.length;
    if (position % stepSources === 0) yield;
  }
  return { count, termCount };
}

function emptyFor(
  sources: readonly Source[],
  tokensPerCharacter: number,
  { count, termCount }: { readonly count: number; readonly termCount: number },
): Written {
  return {
    source: new Int32Array(count),
    position: new Int32Array(count),
    starts: new Int32Array(sources.length + 1),
    rows: new Float64Array(count * rowWidth),
    goesOn: new Uint8Array(count + 1),
    terms: { items: new Int32Array(termCount), ends: new Int32Array(count + 1) },
    headingTerms: termLists(sources.map(({ headingTerms }) => headingTerms)),
    headingTokens: Float64Array.from(sources, ({ section, isTalk }) =>
      isTalk === true ? 0 : Math.min(section.heading.length, 60) * tokensPerCharacter + headingTokens,
    ),
    headingWeight: Float64Array.from(sources, ({ headingWeight = 1 }) => headingWeight),
    count: 0,
  };
}

/** Adds the heading alone. */
function addHeading(written: Written, source: Source, position: number): void {
  const at = beginRow(written, source, position, -1);
  written.rows[at * rowWidth + weightColumn] = source.weight;
  written.terms.ends[at + 1] = written.terms.ends[at] as number;
  written.count = at + 1;
}

/** Writes where a unit comes from, and returns its position. */
function beginRow(written: Written, { isTalk }: Source, position: number, own: number): number {
  const at = written.count;
  const row = at * rowWidth;
  written.source[at] = position;
  written.position[at] = own;
  written.rows[row + sourceColumn] = position;
  written.rows[row + gapColumn] = isTalk === true ? talkGapTokens : gapTokens;
  return at;
}

/** Adds as many units of a source as a step copies. */
function addUnits(
  written: Written,
  source: Source,
  position: number,
  { first, tokensPerCharacter }: { readonly first: number; readonly tokensPerCharacter: number },
): void {
  const { units } = source;
  const end = Math.min(units.length, first + stepUnits);
  for (let own = first; own < end; own += 1) {
    const at = beginRow(written, source, position, own);
    addUnit(written, source, units[own] as Unit, tokensPerCharacter);
    if (own > 0) written.rows[(at - 1) * rowWidth + sharedColumn] = overlap(units, own) * tokensPerCharacter;
    written.count = at + 1;
  }
}

function addUnit(
  written: Written,
  { weight, isNamed = noTerm }: Source,
  unit: Unit,
  tokensPerCharacter: number,
): void {
  const { rows, terms, source, starts } = written;
  const at = written.count;
  const row = at * rowWidth;
  const isFirst = at === starts[source[at] as number];
  rows[row + tokensColumn] = (unit.end - unit.start) * tokensPerCharacter + lineTokens;
  const repeated = Math.min(unit.form?.weightOf(unit) ?? 1, unit.isBulk === true ? bulkWeight : 1);
  const formWeight = repeated < 1 && unit.terms.some((term) => isNamed(term)) ? 1 : repeated;
  rows[row + formWeightColumn] = formWeight;
  rows[row + weightColumn] = unit.weight * formWeight * weight;
  rows[row + passageShareColumn] = unit.isJson ? jsonPassageShare : passageShare;
  written.goesOn[at] = !isFirst && unit.goesOn ? 1 : 0;
  const first = terms.ends[at] as number;
  terms.items.set(unit.terms, first);
  terms.ends[at + 1] = first + unit.terms.length;
}

const noTerm = () => false;

function isCall({ kind }: Source['section']): boolean {
  return kind === 'call' || kind === 'failure';
}

/** The characters that a unit shares with the one before it, in the same line. */
function overlap(units: readonly Unit[], position: number): number {
  const [before, unit] = [units[position - 1] as Unit, units[position] as Unit];
  if (unit.block !== before.block) return 0;
  return Math.max(0, Math.min(unit.end, before.end) - Math.max(unit.start, before.start));
}

function termLists(lists: readonly (readonly number[])[]): TermLists {
  const ends = new Int32Array(lists.length + 1);
  for (let at = 0; at < lists.length; at += 1)
    ends[at + 1] = (ends[at] as number) + (lists[at] as readonly number[]).length;
  const items = new Int32Array(ends[lists.length] as number);
  for (let at = 0; at < lists.length; at += 1) items.set(lists[at] as readonly number[], ends[at]);
  return { items, ends };
}
