import { type Message, seededRandom } from '@ctx/core';
import { atomsOf } from '../atoms.js';
import { type CountTokens, totalTokens } from '../count-tokens.js';
import { exchangesIn, oracle } from '../oracle.js';
import { textOf } from '../spoken.js';
import { type Candidate, type Reduce, reducing } from './candidate.js';

const masked = '[Old tool result, masked.]';
/** The number of results that stay. The method was published with this number. */
const resultsInSight = 10;
/** The share of the budget for the first exchanges, which state the task. Three quarters remain for the newest ones. */
const headShare = 0.25;

/** The system prompt and the newest exchanges that fit. */
export const keepLast = (messages: readonly Message[], budget: number, tokensOf: CountTokens) => {
  const { exchanges, room, keep } = exchangesIn(messages, budget, tokensOf);
  return keep(newest(exchanges, room, tokensOf));
};

/** Like `keepLast`, but the first exchanges stay too, up to a quarter of the budget. */
const keepFirstAndLast: Reduce = (messages, budget, tokensOf) => {
  const { exchanges, room, keep } = exchangesIn(messages, budget, tokensOf);
  const first = fitting(exchanges, room * headShare, tokensOf);
  const left = room - totalTokens(first.flat(), tokensOf);
  return keep([...first, ...newest(exchanges.slice(first.length), left, tokensOf)]);
};

/** Masks all results except the newest ten, then drops the oldest exchanges. */
const observationMasking: Reduce = (messages, budget, tokensOf) => {
  let seen = 0;
  const shorter = [...messages].reverse().map((message): Message => {
    if (message.role !== 'tool') return message;
    seen += message.content.length;
    if (seen <= resultsInSight) return message;
    return { ...message, content: message.content.map((part) => ({ ...part, output: masked })) };
  });
  return keepLast(shorter.reverse(), budget, tokensOf);
};

/** A bare list of the identifiers, newest first: high on recall, worthless to a reader. */
const wordList: Reduce = (messages, budget, tokensOf) => {
  const system = messages.filter(({ role }) => role === 'system');
  const atoms = new Set([...messages].reverse().flatMap((message) => [...atomsOf(textOf(message))]));
  let left = budget - totalTokens(system, tokensOf) - 10;
  const words: string[] = [];
  for (const atom of atoms) {
    left -= tokensOf.text(` ${atom}`) + 1;
    if (left < 0) break;
    words.push(atom);
  }
  return [...system, { role: 'user', content: `Words: ${words.join(' ')}` }];
};

/** Any number; the choice is the same in every run. */
const seed = 1;

/** The system prompt, and exchanges chosen by chance until none fits any more, in their order. */
const atRandom: Reduce = (messages, budget, tokensOf) => {
  const { exchanges, room, keep } = exchangesIn(messages, budget, tokensOf);
  const random = seededRandom(seed);
  const drawn = exchanges.map((exchange) => ({ exchange, at: random() })).sort((a, b) => a.at - b.at);
  let left = room;
  const kept = new Set<readonly Message[]>();
  for (const { exchange } of drawn) {
    const tokens = totalTokens(exchange, tokensOf);
    if (tokens > left) continue;
    kept.add(exchange);
    left -= tokens;
  }
  return keep(exchanges.filter((exchange) => kept.has(exchange)));
};

type Exchanges = readonly (readonly Message[])[];

function fitting(exchanges: Exchanges, room: number, tokensOf: CountTokens): Exchanges {
  let left = room;
  const end = exchanges.findIndex((exchange) => {
    left -= totalTokens(exchange, tokensOf);
    return left < 0;
  });
  return end < 0 ? exchanges : exchanges.slice(0, end);
}

function newest(exchanges: Exchanges, room: number, tokensOf: CountTokens): Exchanges {
  return fitting([...exchanges].reverse(), room, tokensOf).toReversed();
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

/** What chance keeps: the least that a method for chats has to beat. */
export const randomMessages: Candidate = reducing('random messages', 'baseline', atRandom);
