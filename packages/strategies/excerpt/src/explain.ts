import type { Candidates, Source } from './candidates.js';
import type { Choice } from './choice.js';
import { longestNote, mostNotedTerms } from './weights.js';

/** A line of an excerpt, and why it was kept. */
export interface KeptLine {
  /** Position of its message in the transcript. */
  readonly message: number;
  readonly heading: string;
  /** The beginning of the line. */
  readonly text: string;
  /** The worth per token that the line added when it was chosen, with its neighbours if they came with it. */
  readonly worth: number;
  /** Its terms with the largest weights, and who uses them: `parseTokens (agent, 4 messages)`. */
  readonly reason: string;
}

interface Explained {
  readonly sources: readonly Source[];
  readonly candidates: Candidates;
  readonly weights: Float64Array;
  describe(term: number): string;
}

/** Explains why each choice was made. */
export function explainChoices(
  choices: readonly Choice[],
  { sources, candidates, weights, describe }: Explained,
): KeptLine[] {
  return choices.map((choice) => {
    const { section, headingTerms, units } = sources[candidates.source[choice.unit] as number] as Source;
    const position = candidates.position[choice.unit] as number;
    const unit = position < 0 ? undefined : units.at(position);
    const block = unit && section.blocks[unit.block];
    const text = block?.text.slice(unit?.start, unit?.end).trim() ?? '';
    const weightOf = (term: number) => weights[term] as number;
    const said = new Set(choice.added.flatMap((one) => termsOf(candidates, one)));
    const best = [...(text === '' || said.size === 0 ? headingTerms : said)]
      .sort((a, b) => weightOf(b) - weightOf(a))
      .slice(0, mostNotedTerms);
    return {
      message: block?.message ?? section.message,
      heading: section.heading,
      text: (text === '' ? section.heading : text).slice(0, longestNote),
      worth: Number((choice.gain / choice.tokens).toPrecision(3)),
      reason: best.map(describe).join(', '),
    };
  });
}

function termsOf({ terms: { items, ends } }: Candidates, unit: number): number[] {
  return [...items.subarray(ends[unit], ends[unit + 1])];
}
