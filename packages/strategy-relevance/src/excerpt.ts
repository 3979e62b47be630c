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
  /** Of the whole excerpt. */
  readonly maxTokens: number;
  /** What the user's messages may take word for word. */
  readonly usersTokens: number;
  /** What leaves the view has this many. */
  readonly olderTokens: number;
  /** How often what stays in the view holds each term. */
  readonly held: Uint8Array;
  /** Whether to say why each line was kept. */
  readonly explain: boolean;
  tokensOf(text: string): number;
}

export interface Excerpt {
  readonly text: string;
  /** Units in it. */
  readonly kept: number;
  /** Units that they were chosen from. */
  readonly of: number;
  /** Why each was kept; none if not asked for. */
  readonly lines: readonly KeptLine[];
}

/** Chooses and writes the lines that an excerpt has of what leaves the view. */
export function excerptOf(reading: Reading, options: ExcerptOptions): Excerpt {
  const { sections, headings, units, weights } = reading;
  const { maxTokens, usersTokens, olderTokens, tokensOf } = options;
  const room = maxTokens - tokensOf(intro);
  const verbatim = verbatimSections(sections, {
    maxTokens: Math.min(room, usersTokens),
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
  const choices = choose(free, headings, { maxTokens: left * spare, weights, held });
  const { text, count } = largestText(choices, {
    maxTokens,
    estimated: left,
    render: (some) => rendered(sections, some, verbatim),
    tokensOf,
  });
  const lines = options.explain ? explainChoices(choices.slice(0, count), reading) : [];
  return { text, kept: count + verbatim.size, of: free.length + verbatim.size, lines };
}

/** The text of an excerpt with the lines chosen, and with some sections word for word. */
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
