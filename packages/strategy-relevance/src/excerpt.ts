import { withAbove } from './above.js';
import { type Choice, choose } from './choose.js';
import { type ExcerptSection, excerptText, intro } from './excerpt-text.js';
import { explainChoices, type KeptLine } from './explain.js';
import { heldWith } from './held-terms.js';
import { largestText } from './largest.js';
import type { Reading } from './reading.js';
import type { Section } from './sections.js';
import { linesOf, type Unit } from './units.js';
import { verbatimSections } from './verbatim.js';
import { spare } from './weights.js';

export interface ExcerptOptions {
  /** The most tokens that the excerpt may have. */
  readonly excerptTokens: number;
  /** The most tokens that the user's messages may take word for word. */
  readonly usersTokens: number;
  /** Tokens of the messages that leave the view. */
  readonly olderTokens: number;
  /** For each term, how many of the texts that stay contain it. */
  readonly held: Uint8Array;
  /** Whether to say why each line was kept. */
  readonly explain: boolean;
  tokensOf(text: string): number;
}

export interface Excerpt {
  readonly text: string;
  /** The number of units in the excerpt. */
  readonly kept: number;
  /** The number of units that they were chosen from. */
  readonly of: number;
  /** Why each line was kept; empty unless `explain` is set. */
  readonly lines: readonly KeptLine[];
}

/** Chooses lines of the messages that leave the view, and writes the excerpt. */
export function excerptOf(reading: Reading, options: ExcerptOptions): Excerpt {
  const { sections, headings, units, weights } = reading;
  const { excerptTokens, usersTokens, olderTokens, tokensOf } = options;
  const room = excerptTokens - tokensOf(intro);
  const verbatim = verbatimSections(sections, {
    roomTokens: Math.min(room, usersTokens),
    olderTokens,
    tokensOf,
  });
  let left = room;
  for (const tokens of verbatim.values()) left -= tokens;
  const free = units.filter(({ section }) => !verbatim.has(section));
  const said = units.filter(({ section }) => verbatim.has(section));
  const held = heldWith(
    options.held,
    said.map(({ terms }) => terms),
  );
  const choices = choose(free, headings, { roomTokens: left * spare, weights, held });
  const { text, count } = largestText(choices, {
    maxTokens: excerptTokens,
    estimated: left,
    render: (some) => rendered(sections, some, verbatim),
    tokensOf,
  });
  const lines = options.explain ? explainChoices(choices.slice(0, count), reading) : [];
  return { text, kept: count + verbatim.size, of: free.length + verbatim.size, lines };
}

/** Writes the excerpt from the chosen lines and the verbatim sections. */
function rendered(
  sections: readonly Section[],
  choices: readonly Choice[],
  verbatim: ReadonlyMap<number, number>,
): string {
  const bySection = new Map<number, Unit[]>();
  for (const unit of withAbove(choices.map((choice) => choice.unit))) {
    const own = bySection.get(unit.section);
    if (own === undefined) bySection.set(unit.section, [unit]);
    else own.push(unit);
  }
  const shown: ExcerptSection[] = [];
  sections.forEach((section, position) => {
    const { heading, blocks } = section;
    const own = bySection.get(position);
    if (verbatim.has(position)) shown.push({ heading, text: blocks[0]?.text ?? '' });
    else if (own !== undefined) shown.push({ heading, text: linesOf(section, own) });
  });
  return excerptText(shown);
}
