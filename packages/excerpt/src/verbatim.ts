import type { Message } from '@ctx/core';
import { scoreMessages } from '@ctx/core/kit';
import type { Section } from './sections.js';
import { chatShare, instructionScore, messageTokens } from './weights.js';

interface Said {
  readonly position: number;
  readonly tokens: number;
  readonly message: Message;
}

/**
 * Picks the user messages and summaries that stay word for word. Returns the positions of their sections, with their tokens. Picks all
 * if they fit, otherwise the instructions among them, shortest first. Picks none if they do not fit and the conversation is mostly chat.
 */
export function verbatimSections(
  sections: readonly Section[],
  {
    roomTokens,
    olderTokens,
    tokensOf,
  }: { readonly roomTokens: number; readonly olderTokens: number; tokensOf(text: string): number },
): Map<number, number> {
  const said = saidIn(sections, tokensOf);
  const sum = said.reduce((total, { tokens }) => total + tokens, 0);
  const fits = sum <= roomTokens;
  if (!fits && sum > olderTokens * chatShare) return new Map();
  const verbatim = new Map<number, number>();
  let left = roomTokens;
  for (const { position, tokens } of (fits ? said : instructionsIn(said)).toSorted(
    (a, b) => a.tokens - b.tokens,
  )) {
    if (tokens > left) break;
    left -= tokens;
    verbatim.set(position, tokens);
  }
  return verbatim;
}

function saidIn(sections: readonly Section[], tokensOf: (text: string) => number): Said[] {
  return sections.flatMap(({ kind, blocks }, position) => {
    if (kind !== 'user' && kind !== 'summary') return [];
    const content = blocks[0]?.text ?? '';
    return [{ position, tokens: tokensOf(content) + messageTokens, message: { role: 'user', content } }];
  });
}

function instructionsIn(said: readonly Said[]): Said[] {
  const scores = scoreMessages(said);
  return said.filter((_, index) => (scores[index]?.score ?? 0) >= instructionScore);
}
