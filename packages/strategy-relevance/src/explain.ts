import type { Choice } from './choose.js';
import type { Reading } from './reading.js';
import type { Section } from './sections.js';
import type { TermUse } from './term-use.js';
import { longestNote, mostNotedTerms } from './weights.js';

/** A line of an excerpt, and why it was kept. */
export interface KeptLine {
  /** Position of its message in the transcript. */
  readonly message: number;
  readonly heading: string;
  /** The beginning of the line. */
  readonly text: string;
  /** The worth per token that the line added when it was chosen. Later choices usually add less. */
  readonly worth: number;
  /** Its terms with the largest weights, and who uses them: `parseTokens (agent, 4 messages)`. */
  readonly reason: string;
}

/** Explains why each choice was made. */
export function explainChoices(
  choices: readonly Choice[],
  { sections, weights, use }: Pick<Reading, 'sections' | 'weights' | 'use'>,
): KeptLine[] {
  return choices.map(({ unit, gain, tokens }) => {
    const { heading, blocks } = sections[unit.section] as Section;
    const block = blocks[unit.block] as Section['blocks'][number];
    const weightOf = (term: number) => weights[term] as number;
    const text = block.text.slice(unit.start, unit.end).trim();
    const terms = text === '' ? use.index.idsOf(heading) : unit.terms;
    const best = [...terms].sort((a, b) => weightOf(b) - weightOf(a)).slice(0, mostNotedTerms);
    return {
      message: block.message,
      heading,
      text: (text === '' ? heading : text).slice(0, longestNote),
      worth: Number((gain / tokens).toPrecision(3)),
      reason: best.map((term) => described(term, use)).join(', '),
    };
  });
}

function described(term: number, use: TermUse): string {
  const { messages, byAgent, byUser } = use.of(term);
  const who = [byAgent && 'agent', byUser && 'user'].filter((one) => one !== false);
  const where = `${messages} ${messages === 1 ? 'message' : 'messages'}`;
  return `${use.index.term(term).key} (${[...who, where].join(', ')})`;
}
