import { type Message, messageText, scoreMessages } from '@ctx/core';
import { agentWords, spokenIn } from './agent-words.js';
import { isBrief } from './briefs.js';
import type { Source } from './candidates.js';
import type { Section } from './sections.js';
import { failureOf } from './trail/outcome.js';
import {
  chatShare,
  claimShare,
  headingTokens,
  instructionScore,
  littleShare,
  mostly,
  mostUsers,
  nearly,
  sizes,
} from './weights.js';

interface Said extends Pick<Section, 'isBrought'> {
  readonly position: number;
  readonly kind: 'user' | 'summary';
  readonly tokens: number;
  readonly message: Message;
}

/** What the window leaves whatever the excerpt may have, in tokens. */
export interface WindowRoom {
  readonly leftTokens: number;
  /** What all that the user said, with the files of rules that programs brought with it, may take of the window. */
  readonly usersTokens: number;
}

/** What of the user's words stays whatever the excerpt may have. */
export interface Floor {
  /** What instructions and rules may take, in tokens. */
  readonly tokens: number;
  /** Whether what programs brought stays whole. */
  readonly keepsBrought: boolean;
}

export interface ClaimOptions {
  /** The most tokens of all that stays word for word. */
  readonly roomTokens: number;
  /** The most tokens of it for the user's messages. */
  readonly usersTokens: number;
  /** What all of the user's messages may take together even if it is more than that. */
  readonly wholeTokens: number;
  /** What of them stays whatever the excerpt may have. */
  readonly floor: Floor;
  /** UTF-16 units of all that the excerpt is made from. */
  readonly olderLength: number;
  /** Which sections are part of a stretch of talk. */
  readonly isTalk: readonly boolean[];
  /** The last message that read what a source is about, or named it. */
  lastNamed(source: Source): number;
  tokensOf(text: string): number;
}

/** What is shown of a section that stays word for word, and the tokens that it takes. */
export interface Claim {
  readonly text: string;
  readonly tokens: number;
}

/**
 * The sections that stay word for word, by their positions, in the order of their worth: what the user said, and the texts that the agent was
 * told to call up; what the agent said, newest first; other texts that say what to do or what was found. What an earlier one of them shows
 * already is not shown again.
 */
export function claimsOf(sources: readonly Source[], options: ClaimOptions): Map<number, Claim> {
  const { roomTokens, isTalk, lastNamed, tokensOf } = options;
  const sections = sources.map(({ section }) => section);
  const claims = usersClaims(sections, options);
  const seen = new Set([...claims.values()].flatMap(({ text }) => longLines(text)));
  let left = roomTokens - [...claims.values()].reduce((sum, { tokens }) => sum + tokens, 0);
  /** Claims as many of these as fit into a share of the room. */
  const claim = (positions: readonly number[], most: number) => {
    let own = Math.min(left, most);
    for (const position of positions) {
      const section = sections[position] as Section;
      const texts = claims.has(position) ? [] : unseenIn(section, seen);
      if (texts.length === 0) continue;
      const text = section.kind === 'assistant' ? (spokenIn(section) ?? '') : texts.join('\n');
      const heading = section.kind === 'assistant' ? '' : `${section.heading}\n`;
      const tokens = tokensOf(heading + text) + headingTokens;
      if (tokens > own) continue;
      claims.set(position, { text, tokens });
      for (const line of longLines(text)) seen.add(line);
      own -= tokens;
      left -= tokens;
    }
  };
  const where = (holds: (source: Source) => boolean) =>
    [...sources.keys()].filter((position) => holds(sources[position] as Source));
  claim(
    where(({ section }) => section.isAnswer === true),
    options.usersTokens / 4,
  );
  const isNewBrief = ({ weight, section }: Source) => weight === 1 && isBrief(section);
  const before = left;
  claim(
    where((source) => source.isAskedFor?.() === true && isNewBrief(source)).reverse(),
    roomTokens * claimShare,
  );
  const briefTokens = roomTokens * claimShare - (before - left);
  const words = agentWords(sections, isTalk);
  const wrote = words.reduce((sum, position) => sum + (sections[position]?.blocks[0]?.text.length ?? 0), 0);
  // Where the agent mostly talks to the user, as in customer service, its words are not special.
  if (wrote <= options.olderLength * littleShare)
    claim(words, Math.min(roomTokens * claimShare, left * (1 - claimShare)));
  // What the newest checks printed, what was tried and not done since, and what failed in a few words.
  const open = where(({ section, isNewestCheck, isWritten, weight }) => {
    if (isNewestCheck === true) return true;
    if (section.kind === 'failure' && isWritten === true) return weight === 1;
    const said = section.blocks.at(-1);
    return said?.voice === 'tool' && said.text.length <= sizes.paragraph && failureOf(section) !== undefined;
  });
  claim(open.reverse(), Math.min(roomTokens * claimShare, left * (1 - claimShare)));
  const named = (position: number) => lastNamed(sources[position] as Source);
  const newestFirst = where(isNewBrief)
    .reverse()
    .sort((a, b) => named(b) - named(a));
  claim(newestFirst, Math.min(briefTokens, left * (1 - claimShare)));
  return claims;
}

/** The texts of a section that are not shown already, nor in its later ones. Of a call that the user refused only the reason. */
function unseenIn({ kind, blocks, isAnswer }: Section, seen: ReadonlySet<string>): string[] {
  if (kind === 'failure' && isAnswer === true) return blocks.slice(-1).map(({ text }) => text);
  const later = new Set<string>();
  const texts: string[] = [];
  for (const { text } of blocks.toReversed()) {
    if (isSeen(text, seen, later)) continue;
    texts.unshift(text);
    for (const line of longLines(text)) later.add(line);
  }
  return texts;
}

/** Lines that are long enough to be known again. */
export function longLines(text: string): string[] {
  return text.split('\n').flatMap((line) => (line.trim().length < sizes.name ? [] : [line.trim()]));
}

function isSeen(text: string, ...shown: readonly ReadonlySet<string>[]): boolean {
  const lines = longLines(text);
  const seen = lines.filter((line) => shown.some((one) => one.has(line)));
  return lines.length > 1 && seen.length >= lines.length * mostly;
}

/**
 * All user messages and summaries if they fit, otherwise the instructions among them, those that hold from then on first and the shortest first,
 * and then the others, as far as there is room; of what was said several times, only the newest. None if they do not fit and the
 * conversation is mostly chat.
 */
function usersClaims(sections: readonly Section[], options: ClaimOptions): Map<number, Claim> {
  const { wholeTokens, floor, olderLength, tokensOf } = options;
  const roomTokens = Math.min(options.roomTokens, options.usersTokens);
  const said = saidIn(sections, tokensOf);
  const sum = tokensIn(said);
  const fits = sum <= Math.max(roomTokens, Math.min(options.roomTokens, wholeTokens));
  const brought = floor.keepsBrought ? said.filter(({ isBrought }) => isBrought) : [];
  // Lengths, because an estimate of tokens is another one in the next view.
  const lengths = said.flatMap(({ kind, isBrought, message }) =>
    kind === 'user' && isBrought !== true ? [messageText(message).length] : [],
  );
  // One long text among others, such as a file of rules, makes no chat.
  const longest = Math.max(0, ...lengths);
  const wrote =
    lengths.reduce((sum, length) => sum + length, 0) -
    (lengths.length > 2 && longest > sizes.page ? longest : 0);
  const isChat = !fits && wrote > olderLength * chatShare;
  const verbatim = new Map<number, Claim>();
  let taken = 0;
  const instructions = new Set(fits ? said : [...instructionsIn(said), ...brought]);
  // What a person said comes before what a program brought.
  const rank = (one: Said) => (one.isBrought === true ? 0 : isStanding(one) ? 2 : 1);
  const shortestFirst = (isChat ? brought : fits ? said : withoutRepeated(said)).toSorted(
    (a, b) => rank(b) - rank(a) || a.tokens - b.tokens,
  );
  for (const isInstruction of [true, false]) {
    const room = isInstruction ? Math.max(roomTokens, fits ? sum : floor.tokens) : roomTokens;
    for (const one of shortestFirst) {
      // What a program brought takes nothing from the room of what a person said.
      const isFree = brought.includes(one);
      if (instructions.has(one) !== isInstruction || (!isFree && taken + one.tokens > room)) continue;
      if (!isFree) taken += one.tokens;
      verbatim.set(one.position, { text: messageText(one.message), tokens: one.tokens });
    }
  }
  return verbatim;
}

/**
 * What programs brought stays whole if the window has room for it and all that the user said; if it has not, as much of it as there is room
 * for. If all of it is more than the user may have of the window, files of rules still stay whole, and a person's instructions have their floor; of
 * files that are more by themselves, no more stays than of other instructions.
 */
export function floorOf(
  sections: readonly Section[],
  tokens: number,
  { leftTokens, usersTokens }: WindowRoom,
  tokensOf: (text: string) => number,
): Floor {
  const said = saidIn(sections, tokensOf);
  const [sum, brought] = [tokensIn(said), tokensIn(said.filter(({ isBrought }) => isBrought))];
  if (brought === 0 || brought > usersTokens) return { tokens, keepsBrought: false };
  const isAll = sum <= usersTokens;
  const keepsBrought = (isAll ? sum : brought + tokens) <= leftTokens * nearly;
  const most = keepsBrought ? sum : leftTokens * mostUsers;
  return { tokens: isAll ? Math.max(tokens, most) : tokens, keepsBrought };
}

function tokensIn(said: readonly Said[]): number {
  return said.reduce((sum, { tokens }) => sum + tokens, 0);
}

function saidIn(sections: readonly Section[], tokensOf: (text: string) => number): Said[] {
  return sections.flatMap(({ kind, blocks, isBrought }, position) => {
    if (kind !== 'user' && kind !== 'summary') return [];
    const content = blocks[0]?.text ?? '';
    if (/^\s*\/\w{0,12}\s*$/.test(content)) return [];
    const tokens = tokensOf(content) + headingTokens;
    return [{ position, kind, isBrought, tokens, message: { role: 'user', content } }];
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
