import type { Steps } from '@ctx/core';
import type { ReadSection } from './conversation-index.js';
import { repeatedLines } from './file-state.js';
import type { Unit } from './units.js';
import { gapTokens, headingTokens, lineTokens, repeatedWeight, untouchedWeight } from './weights.js';

/** A section whose units may be chosen. */
export interface Source extends Pick<ReadSection, 'section' | 'units' | 'headingTerms'> {
  /** A factor on the worth of its units, 0–1, that is small for what is no longer so. */
  readonly weight: number;
  /** Whether the agent called it up and has not come back to it. @default false */
  readonly isUntouched?: boolean;
  /** Whether the user told the agent to call it up. @default false */
  isAskedFor?(): boolean;
  /** Whether the user has named what a term stands for: a unit with it is worth as much however many others have its form. @default false */
  isNamed?(term: number): boolean;
  /** Whether it is the newest run of its kind of check. @default false */
  readonly isNewestCheck?: boolean;
  /** A factor on the worth of its heading. @default 1 */
  readonly headingWeight?: number;
  /** The file whose text it shows. */
  readonly file?: string | undefined;
  /** Of a call whether it writes a file or a part of one. @default false */
  readonly isWritten?: boolean;
}

/** A unit that may be chosen. Tokens are estimates. */
export interface Candidate {
  /** The position of its source, and its own among the units of that; -1 for the heading alone, which adds no line. */
  readonly source: number;
  readonly position: number;
  readonly terms: readonly number[];
  /** A factor on the worth of its terms. */
  readonly weight: number;
  /** Tokens, and those that it costs to begin a passage with it. */
  readonly tokens: number;
  readonly gap: number;
  /** Whether it goes on where the unit before it ends. */
  readonly goesOn: boolean;
  /** Whether its line is shown elsewhere, or is one that an edit repeats. */
  readonly isKnown: boolean;
}

/** The heading of a source, which is shown with the first unit that is chosen. */
export interface Heading {
  readonly terms: readonly number[];
  readonly tokens: number;
  readonly weight: number;
  /** The positions of its units among all: from `start` to before `end`. */
  readonly start: number;
  readonly end: number;
}

export interface Candidates {
  /** In order. */
  readonly units: readonly Candidate[];
  /** One for each source. */
  readonly headings: readonly Heading[];
}

/** Units or sources that are listed in a step. */
const stepUnits = 1_000;
const stepSources = 500;

/**
 * Lists the units of sources.
 * @param tokensPerCharacter to estimate tokens
 * @param own tokens of each heading. Default: an estimate
 * @param shown long lines that are shown whatever is chosen
 */
export function* candidatesOf(
  sources: readonly Source[],
  tokensPerCharacter: number,
  own?: number,
  shown: ReadonlySet<string> = new Set(),
): Steps<Candidates> {
  const units: Candidate[] = [];
  const headings: Heading[] = [];
  for (const [position, source] of sources.entries()) {
    const { section, headingTerms, headingWeight = 1 } = source;
    const start = units.length;
    // A call that returned nothing is told by its heading.
    if (source.units.length === 0 && section.call !== undefined)
      units.push({
        source: position,
        position: -1,
        terms: [],
        weight: 1,
        tokens: 0,
        gap: 0,
        goesOn: false,
        isKnown: false,
      });
    const repeated = repeatedLines(section);
    const isKnown = (line: string) => repeated.has(line) || shown.has(line);
    for (const at of source.units.keys())
      if (units.push(candidateOf(source, position, at, tokensPerCharacter, isKnown)) % stepUnits === 0) yield;
    const estimate = Math.min(section.heading.length, 60) * tokensPerCharacter + headingTokens;
    headings.push({
      terms: headingTerms,
      weight: headingWeight,
      tokens: own ?? estimate,
      start,
      end: units.length,
    });
    if (position % stepSources === 0) yield;
  }
  return { units, headings };
}

function candidateOf(
  { section, units, weight, isNamed, isUntouched, isWritten = false }: Source,
  source: number,
  position: number,
  tokensPerCharacter: number,
  isKnownLine: (line: string) => boolean,
): Candidate {
  const unit = units[position] as Unit;
  const { start, end, terms, isBulk = false, form } = unit;
  // A part of a script or of another argument says little, and its beginning is in the heading.
  const isArgument =
    !isWritten && section.call !== undefined && section.blocks[unit.block]?.voice === 'agent';
  const isKnown = isKnownLine(section.blocks[unit.block]?.text.slice(start, end).trim() ?? '');
  const repeated = isArgument
    ? 0
    : Math.min(form?.weightOf(unit) ?? 1, isBulk || isKnown ? repeatedWeight : 1);
  const isAsked = repeated < 1 && isNamed !== undefined && terms.some((term) => isNamed(term));
  return {
    source,
    position,
    terms,
    weight: unit.weight * (isAsked ? 1 : repeated) * weight * (isUntouched === true ? untouchedWeight : 1),
    tokens: (end - start) * tokensPerCharacter + lineTokens,
    gap: gapTokens,
    goesOn: position > 0 && unit.goesOn,
    isKnown,
  };
}
