import { type Message, toolCallsOf } from '@ctx/core';
import { type Atom, atomsOf, contextOf, isGeneral, occursIn, positionsOf } from './atoms.js';
import { totalTokens } from './count-tokens.js';
import { type Passage, passagesOf } from './passages.js';
import { spokenBy, textOf, toolWordsOf } from './spoken.js';

/** An atom that the agent uses after a cut and knows only from before it. */
export interface NeededAtom {
  readonly atom: Atom;
  /** Position of the message that uses it. */
  readonly usedAt: number;
  /** Positions of the prefix's messages that contain it. */
  readonly heldAt: readonly number[];
  /** Its occurrences there, each with 24 characters of its line on either side. */
  readonly contexts: readonly string[];
  /** Its occurrences there, each with its line and the lines around it. */
  readonly passages: readonly Passage[];
}

/** A session, cut before a message of the assistant. The part before is compressed; the part after shows what was needed. */
export interface Cut {
  readonly position: number;
  readonly prefix: readonly Message[];
  /** Tokens of the prefix without its system prompt, which every request contains and no candidate may cut. */
  readonly prefixTokens: number;
  readonly systemTokens: number;
  readonly needed: readonly NeededAtom[];
}

export interface CutOptions {
  tokensOf(message: Message): number;
  /** Atoms that do not count, such as those of many unrelated sessions. */
  readonly common?: ReadonlySet<Atom>;
  /** The places to cut, as shares of the messages. @default [0.35, 0.5, 0.65, 0.8] */
  readonly shares?: readonly number[];
  /** @default 3000 */
  readonly minPrefixTokens?: number;
  /** Number of messages after a cut that are examined. @default 40 */
  readonly horizon?: number;
}

/** The cuts of a session. Fewer than requested if a prefix is too short, or nothing of it was needed again. */
export function cutsOf(messages: readonly Message[], options: CutOptions): Cut[] {
  const { shares = [0.35, 0.5, 0.65, 0.8], minPrefixTokens = 3000, tokensOf } = options;
  const positions = new Set(
    shares.map((share) => assistantAt(messages, Math.floor(messages.length * share))),
  );
  return [...positions].flatMap((position) => {
    if (position === undefined) return [];
    const prefix = messages.slice(0, position).filter((message) => !isSystem(message));
    if (totalTokens(prefix, tokensOf) < minPrefixTokens) return [];
    const cut = cutAt(messages, position, options);
    return cut.needed.length === 0 ? [] : [cut];
  });
}

/** A session, cut before one of its messages, even if nothing of the prefix is needed again. */
export function cutAt(
  messages: readonly Message[],
  position: number,
  { tokensOf, horizon = 40, common = new Set() }: Omit<CutOptions, 'shares' | 'minPrefixTokens'>,
): Cut {
  const prefix = messages.slice(0, position);
  const systemTokens = totalTokens(prefix.filter(isSystem), tokensOf);
  return {
    position,
    prefix,
    systemTokens,
    prefixTokens: totalTokens(prefix, tokensOf) - systemTokens,
    needed: neededAtoms(messages, position, horizon, common),
  };
}

const isSystem = ({ role }: Message) => role === 'system';

/** The first message of the assistant from a position on, so that every call before it has its results. */
function assistantAt(messages: readonly Message[], from: number): number | undefined {
  const position = messages.findIndex(({ role }, index) => index >= from && role === 'assistant');
  return position <= 0 || toolCallsOf(messages[position - 1] as Message).length > 0 ? undefined : position;
}

/** An atom counts once, at its first use, and only if nothing between the cut and that use contains it. */
function neededAtoms(
  messages: readonly Message[],
  position: number,
  horizon: number,
  common: ReadonlySet<Atom>,
): NeededAtom[] {
  const texts = messages.slice(0, position).map(textOf);
  const system = messages.filter(isSystem).map(textOf).join('\n');
  const later: string[] = [];
  const toolWords = toolWordsOf(messages);
  const judged = new Set<Atom>();
  const needed: NeededAtom[] = [];
  for (const [offset, message] of messages.slice(position, position + horizon).entries()) {
    for (const atom of atomsOf(spokenBy(message))) {
      if (judged.has(atom) || isGeneral(atom) || common.has(atom) || toolWords.has(atom)) continue;
      judged.add(atom);
      if (occursIn(atom, system) || later.some((text) => occursIn(atom, text))) continue;
      const heldAt = texts.flatMap((text, index) =>
        messages[index]?.role !== 'system' && occursIn(atom, text) ? [index] : [],
      );
      if (heldAt.length > 0)
        needed.push({
          atom,
          usedAt: position + offset,
          heldAt,
          contexts: contextsOf(atom, heldAt, texts),
          passages: heldAt.flatMap((index) => passagesOf(atom, messages[index] as Message)),
        });
    }
    later.push(textOf(message));
  }
  return needed;
}

function contextsOf(atom: Atom, heldAt: readonly number[], texts: readonly string[]): string[] {
  const contexts = heldAt.flatMap((message) => {
    const text = texts[message] as string;
    return [...positionsOf(atom, text)].map((at) => contextOf(text, at, atom));
  });
  return [...new Set(contexts)];
}
