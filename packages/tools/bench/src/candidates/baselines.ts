import type { Message } from '@ctx/core';
import { atomsOf } from '../atoms.js';
import { type CountTokens, totalTokens } from '../count-tokens.js';
import { groupsOf } from '../groups.js';
import { leadingUser, oracle } from '../oracle.js';
import { textOf } from '../spoken.js';
import { type Candidate, reducing } from './candidate.js';

const masked = '[Old tool result, masked.]';
/** The number of results that stay. The method was published with this number. */
const resultsInSight = 10;
/** The share of the budget for the first exchanges, which state the task. Three quarters remain for the newest ones. */
const headShare = 0.25;

const isSystem = ({ role }: Message) => role === 'system';

/** The system prompt and the newest exchanges that fit. */
function keepLast(messages: readonly Message[], budget: number, tokensOf: CountTokens): readonly Message[] {
  const system = messages.filter(isSystem);
  const groups = groupsOf(messages.filter((message) => !isSystem(message)));
  const room = budget - totalTokens(system, tokensOf) - tokensOf(leadingUser);
  return beginningWithUser(system, newest(groups, room, tokensOf).flat());
}

/** Like `keepLast`, but the first exchanges stay too, up to a quarter of the budget. */
function keepFirstAndLast(
  messages: readonly Message[],
  budget: number,
  tokensOf: CountTokens,
): readonly Message[] {
  const system = messages.filter(isSystem);
  const groups = groupsOf(messages.filter((message) => !isSystem(message)));
  const room = budget - totalTokens(system, tokensOf) - tokensOf(leadingUser);
  const first = fitting(groups, room * headShare, tokensOf);
  const last = newest(groups.slice(first.length), room - totalTokens(first.flat(), tokensOf), tokensOf);
  return beginningWithUser(system, [...first, ...last].flat());
}

/** Masks all results except the newest ten, then drops the oldest exchanges. */
function observationMasking(
  messages: readonly Message[],
  budget: number,
  tokensOf: CountTokens,
): readonly Message[] {
  let seen = 0;
  const shorter = [...messages].reverse().map((message): Message => {
    if (message.role !== 'tool') return message;
    seen += message.content.length;
    if (seen <= resultsInSight) return message;
    return { ...message, content: message.content.map((part) => ({ ...part, output: masked })) };
  });
  return keepLast(shorter.reverse(), budget, tokensOf);
}

/** A bare list of the identifiers, newest first: high on recall, worthless to a reader. */
function wordList(messages: readonly Message[], budget: number, tokensOf: CountTokens): readonly Message[] {
  const system = messages.filter(isSystem);
  const atoms = new Set([...messages].reverse().flatMap((message) => [...atomsOf(textOf(message))]));
  let left = budget - totalTokens(system, tokensOf) - 10;
  const words: string[] = [];
  for (const atom of atoms) {
    left -= tokensOf.text(` ${atom}`) + 1;
    if (left < 0) break;
    words.push(atom);
  }
  return [...system, { role: 'user', content: `Words: ${words.join(' ')}` }];
}

function fitting(
  groups: readonly (readonly Message[])[],
  room: number,
  tokensOf: CountTokens,
): (readonly Message[])[] {
  let left = room;
  const end = groups.findIndex((group) => {
    left -= totalTokens(group, tokensOf);
    return left < 0;
  });
  return end < 0 ? [...groups] : groups.slice(0, end);
}

function newest(
  groups: readonly (readonly Message[])[],
  room: number,
  tokensOf: CountTokens,
): (readonly Message[])[] {
  return fitting([...groups].reverse(), room, tokensOf).reverse();
}

function beginningWithUser(system: readonly Message[], kept: readonly Message[]): readonly Message[] {
  return [...system, ...(kept[0]?.role === 'user' ? [] : [leadingUser]), ...kept];
}

/** The baselines that anybody would write first, and the bounds for the others. */
export const baselines: readonly Candidate[] = [
  reducing('keep-last', 'baseline', keepLast),
  reducing('keep-first-and-last', 'baseline', keepFirstAndLast),
  reducing('observation masking', 'baseline', observationMasking),
  reducing('word list (control)', 'control', wordList),
  {
    name: 'oracle of whole exchanges',
    kind: 'bound',
    async compress({ cut, budget, tokensOf }) {
      const start = performance.now();
      const messages = oracle(cut, { budget, tokensOf });
      return { messages, ms: performance.now() - start };
    },
  },
];

/** The whole conversation, whatever its size: nothing is lost. */
export const noCompression: Candidate = reducing('no compression', 'control', (messages) => messages);
