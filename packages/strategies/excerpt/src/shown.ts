import type { ExcerptSection, ShownPart } from './excerpt-text.js';
import { linesIn, linesShown } from './line-count.js';

/** A source that is shown. */
export interface Shown {
  readonly section: ExcerptSection;
  /** The positions of its units among the candidates, in order; none for a section that stays word for word. */
  readonly units: readonly number[];
  /** Tokens with and without the heading. */
  readonly tokens: number;
  readonly textTokens: number;
}

/** What is shown of two turns together; undefined if all of both is. */
export function joined(first: ExcerptSection, second: ExcerptSection): ExcerptSection['part'] {
  if (first.part === undefined && second.part === undefined) return undefined;
  const counts = [first, second].map(
    ({ part, text }) => part?.lines ?? { shown: linesShown(text), of: linesIn(text) },
  );
  const sum = (pick: 'shown' | 'of') => counts.reduce((total, count) => total + count[pick], 0);
  const { message } = first.part ?? (second.part as ShownPart);
  return { lines: { shown: sum('shown'), of: sum('of') }, message };
}

/** Whether this is what is shown of these units. */
export function isOf(shown: Shown | undefined, units: readonly number[]): boolean {
  return units.length === shown?.units.length && units.every((unit, at) => unit === shown.units[at]);
}
