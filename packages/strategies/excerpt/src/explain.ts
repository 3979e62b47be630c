import type { Candidate, Candidates, Source } from './candidates.js';
import type { Choice } from './choose.js';

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

interface Explained extends Pick<Candidates, 'units'> {
  readonly sources: readonly Source[];
  readonly weights: Float64Array;
  describe(term: number): string;
}

/** Explains why each choice was made, in eighty characters of its text and three terms. */
export function explainChoices(
  choices: readonly Choice[],
  { sources, units, weights, describe }: Explained,
): KeptLine[] {
  return choices.map(({ unit, added, gain, tokens }) => {
    const { source, position } = units[unit] as Candidate;
    const { section, headingTerms, units: own } = sources[source] as Source;
    const { block = -1, start, end } = own[position] ?? {};
    const text = section.blocks[block]?.text.slice(start, end).trim() ?? '';
    const said = new Set(added.flatMap((one) => units[one]?.terms ?? []));
    const best = [...(text === '' || said.size === 0 ? headingTerms : said)]
      .sort((a, b) => (weights[b] as number) - (weights[a] as number))
      .slice(0, 3);
    return {
      message: section.blocks[block]?.message ?? section.message,
      heading: section.heading,
      text: (text === '' ? section.heading : text).slice(0, 80),
      worth: Number((gain / tokens).toPrecision(3)),
      reason: best.map(describe).join(', '),
    };
  });
}
