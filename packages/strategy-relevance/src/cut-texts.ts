import type { PlanContext } from '@ctx/core';
import type { ReplaceEdit } from '@ctx/core/kit';
import { withAbove } from './above.js';
import { type Choice, choose } from './choose.js';
import { cutCalls } from './cut-calls.js';
import type { CutPart } from './cut-parts.js';
import { heldWith } from './held-terms.js';
import { largestWithin } from './largest.js';
import type { Originals } from './originals.js';
import type { CutReading, Reading } from './reading.js';
import { linesOf, type Unit } from './units.js';
import { markTokens, spare } from './weights.js';

export interface CutResult {
  readonly edits: readonly ReplaceEdit[];
  /** For each term, how many of the texts that stay contain it; includes the cut texts. */
  readonly held: Uint8Array;
}

/** Cuts the texts and arguments of exchanges that stay but are too large. */
export function cutTexts(
  { cut, weights, held }: Reading,
  context: PlanContext,
  originals: Originals,
): CutResult {
  return cut.reduce<CutResult>(
    (before, group) => {
      const { edits, kept } = cutGroup(group, { weights, held: before.held }, context, originals);
      const terms = kept.map((unit) => unit.terms);
      return { edits: [...before.edits, ...edits], held: heldWith(before.held, terms) };
    },
    { edits: [], held },
  );
}

function cutGroup(
  group: CutReading,
  worth: Pick<Reading, 'weights' | 'held'>,
  context: PlanContext,
  originals: Originals,
): { readonly edits: ReplaceEdit[]; readonly kept: readonly Unit[] } {
  const { messages, parts, units, roomTokens } = group;
  const calls = cutCalls(messages, roomTokens, context, originals);
  const texts = new GroupTexts(group, context);
  const others = sum(messages.map(({ tokens }) => tokens)) - calls.saved - sum(texts.shownTokens);
  const headings = parts.map(() => ({ terms: [], tokens: markTokens }));
  const choices = choose(units, headings, { ...worth, roomTokens: (roomTokens - others) * spare });
  const count = largestWithin(choices.length, (some) => {
    const tokens = texts.of(choices.slice(0, some)).map((text) => context.tokensOf(text));
    return sum(tokens) <= roomTokens - others;
  });
  const chosen = choices.slice(0, count);
  const edits = texts.of(chosen).flatMap((text, position): ReplaceEdit[] => {
    const { message, part, shown } = parts[position] as CutPart;
    return text === shown ? [] : [{ type: 'replace', message, part, text, reason: 'excerpted' }];
  });
  return { edits: [...calls.edits, ...edits], kept: unitsIn(chosen) };
}

/** Writes the cut texts of a group. */
class GroupTexts {
  readonly shownTokens: readonly number[];
  /** The number of units in each part. */
  readonly #counts: readonly number[];

  constructor(
    readonly group: CutReading,
    readonly context: PlanContext,
  ) {
    this.shownTokens = group.parts.map(({ shown }) => context.tokensOf(shown));
    this.#counts = countedBySection(group.units, group.parts.length);
  }

  /** The text of each part, reduced to the chosen units. A part keeps the text it shows now if that is no longer. */
  of(choices: readonly Choice[]): string[] {
    const { parts, sections } = this.group;
    const kept: Unit[][] = parts.map(() => []);
    for (const unit of unitsIn(choices)) kept[unit.section]?.push(unit);
    return parts.map(({ shown }, position) => {
      const some = kept[position] as Unit[];
      const gone = (this.#counts[position] as number) - some.length;
      if (gone === 0 && some.length > 0) return shown;
      const mark = gone === 0 ? '[… blank …]' : `[… ${gone} lines left out …]`;
      const lines = linesOf(sections[position] as CutReading['sections'][number], some);
      const text = some.length === 0 ? mark : `${lines}\n${mark}`;
      return this.context.tokensOf(text) < (this.shownTokens[position] as number) ? text : shown;
    });
  }
}

function unitsIn(choices: readonly Choice[]): Unit[] {
  return withAbove(choices.map(({ unit }) => unit));
}

function countedBySection(units: readonly Unit[], sections: number): number[] {
  const counts = new Array<number>(sections).fill(0);
  for (const { section } of units) counts[section] = (counts[section] as number) + 1;
  return counts;
}

function sum(figures: readonly number[]): number {
  return figures.reduce((total, figure) => total + figure, 0);
}
