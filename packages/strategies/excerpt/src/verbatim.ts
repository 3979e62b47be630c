import { type Message, messageText, scoreMessages } from '@ctx/core';
import type { Section } from './sections.js';
import { chatShare, instructionScore, messageLength, messageTokens } from './weights.js';

interface Said {
  readonly position: number;
  readonly kind: 'user' | 'summary';
  readonly tokens: number;
  readonly message: Message;
}

export interface VerbatimOptions {
  readonly roomTokens: number;
  /** What instructions may take even if it is more than the room. */
  readonly floorTokens: number;
  /** UTF-16 units of all that the excerpt is made from. */
  readonly olderLength: number;
  tokensOf(text: string): number;
}

/**
 * Picks the user messages and summaries that stay word for word. Returns the positions of their sections, with their tokens. Picks all
 * if they fit, otherwise the instructions among them, those that hold from then on first and the shortest first, and then the others, as far as
 * there is room; of what was said several times, only the newest. Picks none if they do not fit and the conversation is mostly chat.
 */
export function verbatimSections(
  sections: readonly Section[],
  { roomTokens, floorTokens, olderLength, tokensOf }: VerbatimOptions,
): Map<number, number> {
  const said = saidIn(sections, tokensOf);
  const sum = said.reduce((total, { tokens }) => total + tokens, 0);
  const fits = sum <= roomTokens;
  // Lengths, because an estimate of tokens is another one in the next view.
  const wrote = said
    .filter(({ kind }) => kind === 'user')
    .reduce((length, { message }) => length + messageText(message).length + messageLength, 0);
  if (!fits && wrote > olderLength * chatShare) return new Map();
  const verbatim = new Map<number, number>();
  let taken = 0;
  const instructions = new Set(fits ? said : instructionsIn(said));
  const shortestFirst = (fits ? said : withoutRepeated(said)).toSorted(
    (a, b) => Number(isStanding(b)) - Number(isStanding(a)) || a.tokens - b.tokens,
  );
  for (const isInstruction of [true, false]) {
    const room = isInstruction ? Math.max(roomTokens, floorTokens) : roomTokens;
    for (const one of shortestFirst) {
      if (instructions.has(one) !== isInstruction || taken + one.tokens > room) continue;
      taken += one.tokens;
      verbatim.set(one.position, one.tokens);
    }
  }
  return verbatim;
}

function saidIn(sections: readonly Section[], tokensOf: (text: string) => number): Said[] {
  return sections.flatMap(({ kind, blocks }, position) => {
    if (kind !== 'user' && kind !== 'summary') return [];
    const content = blocks[0]?.text ?? '';
    return [
      { position, kind, tokens: tokensOf(content) + messageTokens, message: { role: 'user', content } },
    ];
  });
}

/** Words of what is to be done from then on, and not once, in a few languages. */
const standing =
  /\b(?:always|never|every|each|must|from now on|at all times|remember|keep in mind|for later|note that|do not|don['’]t|immer|niemals|siempre|nunca|toujours|jamais)\b|必须|务必|一定要|总是|永远|不要|记住/i;

function isStanding({ message }: Said): boolean {
  return standing.test(messageText(message));
}

function withoutRepeated(said: readonly Said[]): Said[] {
  const newest = new Map(said.map((one) => [messageText(one.message), one]));
  return said.filter((one) => newest.get(messageText(one.message)) === one);
}

function instructionsIn(said: readonly Said[]): Said[] {
  const scores = scoreMessages(said);
  return said.filter((_, index) => (scores[index]?.score ?? 0) >= instructionScore);
}
