import { type Message, messageText, scoreMessages } from '@ctx/core';
import { agentWords } from './agent-words.js';
import { isBrief } from './briefs.js';
import type { Section } from './sections.js';
import {
  agentShare,
  briefShare,
  chatShare,
  instructionScore,
  messageLength,
  messageTokens,
  talkativeShare,
} from './weights.js';

interface Said {
  readonly position: number;
  readonly kind: 'user' | 'summary';
  readonly tokens: number;
  readonly message: Message;
}

export interface ClaimOptions {
  /** The most tokens of all that stays word for word. */
  readonly roomTokens: number;
  /** The most tokens of it for the user's messages. */
  readonly usersTokens: number;
  /** What instructions may take even if it is more than that. */
  readonly floorTokens: number;
  /** UTF-16 units of all that the excerpt is made from. */
  readonly olderLength: number;
  /** Which sections are part of a stretch of talk. */
  readonly isTalk: readonly boolean[];
  /** A factor on the worth of each section, 0–1: see `stateWeights`. */
  readonly weights: ArrayLike<number>;
  /** Whether somebody has named since what a section is about. */
  isNamed(position: number): boolean;
  tokensOf(text: string): number;
}

/**
 * The sections that stay word for word, by their positions, with their tokens, in the order of their worth: what the user said; what the agent
 * said, newest first; texts that say what to do or what was found.
 */
export function claimsOf(sections: readonly Section[], options: ClaimOptions): Map<number, number> {
  const { roomTokens, isTalk, weights, isNamed, tokensOf } = options;
  const claims = usersClaims(sections, options);
  const claim = (position: number, text: string, left: number) => {
    const tokens = tokensOf(text) + messageTokens;
    if (tokens > left) return 0;
    claims.set(position, tokens);
    return tokens;
  };
  sections.forEach((section, position) => {
    if (section.isAnswer === true)
      claim(position, textOf(section), Math.min(roomTokens, options.usersTokens) / 4);
  });
  const left = () => roomTokens - [...claims.values()].reduce((sum, tokens) => sum + tokens, 0);
  let agents = Math.min(left(), roomTokens * agentShare);
  const words = agentWords(sections, isTalk);
  const wrote = words.reduce((sum, position) => sum + (sections[position]?.blocks[0]?.text.length ?? 0), 0);
  // Where the agent mostly talks to the user, as in customer service, its words are not special.
  if (wrote > options.olderLength * talkativeShare) agents = 0;
  for (const position of words) agents -= claim(position, sections[position]?.blocks[0]?.text ?? '', agents);
  const briefs = [...sections.keys()].filter(
    (position) => weights[position] === 1 && isBrief(sections[position] as Section),
  );
  let briefly = Math.min(left(), roomTokens * briefShare);
  for (const position of briefs.toReversed().sort((a, b) => Number(isNamed(b)) - Number(isNamed(a))))
    briefly -= claim(position, textOf(sections[position] as Section), briefly);
  return claims;
}

function textOf({ heading, blocks }: Section): string {
  return [heading, ...blocks.map(({ text }) => text)].join('\n');
}

/**
 * All user messages and summaries if they fit, otherwise the instructions among them, those that hold from then on first and the shortest first,
 * and then the others, as far as there is room; of what was said several times, only the newest. None if they do not fit and the
 * conversation is mostly chat.
 */
function usersClaims(
  sections: readonly Section[],
  { roomTokens: allTokens, usersTokens, floorTokens, olderLength, tokensOf }: ClaimOptions,
): Map<number, number> {
  const roomTokens = Math.min(allTokens, usersTokens);
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
