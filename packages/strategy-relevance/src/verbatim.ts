import { type Message, scoreMessages } from '@ctx/core';
import type { Section } from './sections.js';

/** From this score on a message of the user is an instruction. */
const instructionScore = 70;
/** Where the user says more than this share of everything, people talk, and what is said counts, not who says it. */
const chatShare = 0.35;

/**
 * Messages of the user, and summaries of others, that stay word for word, with their tokens: all where they fit, else instructions, the
 * shortest first.
 */
export function verbatimSections(
  sections: readonly Section[],
  {
    maxTokens,
    olderTokens,
    tokensOf,
  }: { readonly maxTokens: number; readonly olderTokens: number; tokensOf(text: string): number },
): Map<number, number> {
  const said: { position: number; tokens: number; message: Message }[] = [];
  sections.forEach(({ kind, blocks }, position) => {
    if (kind !== 'user' && kind !== 'summary') return;
    const content = blocks[0]?.text ?? '';
    said.push({ position, tokens: tokensOf(content) + 4, message: { role: 'user', content } });
  });
  const sum = said.reduce((total, { tokens }) => total + tokens, 0);
  const fits = sum <= maxTokens;
  if (!fits && sum > olderTokens * chatShare) return new Map();
  const scores = fits ? undefined : scoreMessages(said);
  const verbatim = new Map<number, number>();
  let left = maxTokens;
  const wanted = said.filter(
    (_, index) => scores === undefined || (scores[index]?.score ?? 0) >= instructionScore,
  );
  for (const { position, tokens } of wanted.toSorted((a, b) => a.tokens - b.tokens)) {
    if (tokens > left) break;
    left -= tokens;
    verbatim.set(position, tokens);
  }
  return verbatim;
}
