import type { Message } from '@ctx/core';
import { type Candidate, type CandidateOptions, candidatesOf } from './candidates.js';
import { choose } from './coverage.js';
import { freshHistory, type History } from './history.js';
import { headings, sections } from './sections.js';

export interface ExtractOptions extends CandidateOptions {
  readonly maxTokens: number;
}

export interface Extract {
  readonly text: string;
  /** The number of lines in it, and (`of`) the number that they were chosen from. */
  readonly kept: number;
  readonly of: number;
}

/**
 * Writes a summary without a model: sentences of the conversation and passages of tool results, word for word, with the numbers of their
 * messages, within `maxTokens`. Chooses greedily by the terms of the conversation that a line newly covers per token, as in budgeted
 * maximum coverage (Khuller, Moss, Naor 1999; Lin, Bilmes 2011), evaluated lazily (Minoux 1978). Their bound does not apply, because here
 * a term's worth also depends on who uses it. The same conversation gives the same summary.
 */
export function extractiveSummary(messages: readonly Message[], options: ExtractOptions): Extract {
  return extractFrom(freshHistory(messages), options);
}

/** Does what `extractiveSummary` does, for messages that have already been read. */
export function extractFrom(history: History, options: ExtractOptions): Extract {
  const { tokensOf, maxTokens } = options;
  const { said, found } = candidatesOf(history, options);
  const used = new Set([...said, ...found].map(({ section }) => section));
  const overhead = [...used].reduce((sum, one) => sum + tokensOf(`\n\n### ${headings[one]}\n`), 0);
  let chosen = choose(said, found, maxTokens - overhead);
  let text = textOf(chosen);
  // Lines are counted one by one, so the whole text may have a few more tokens.
  while (chosen.length > 0 && tokensOf(text) > maxTokens) {
    chosen = chosen.slice(0, Math.floor(chosen.length * 0.99));
    text = textOf(chosen);
  }
  return { text, kept: chosen.length, of: said.length + found.length };
}

function textOf(chosen: readonly Candidate[]): string {
  const lines = chosen.toSorted((a, b) => a.position - b.position || a.order - b.order);
  return sections
    .flatMap((section) => {
      const own = lines.filter((line) => line.section === section);
      return own.length === 0 ? [] : [`### ${headings[section]}\n${own.map(({ text }) => text).join('\n')}`];
    })
    .join('\n\n');
}
