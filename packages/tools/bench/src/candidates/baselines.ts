import { type Message, toolCallsOf } from '@ctx/core';
import { type CountTokens, totalTokens } from '../count-tokens.js';
import { type Candidate, type Reduce, reducing } from './candidate.js';

const masked = '[Old tool result, masked.]';
/** The number of results that stay. The method was published with this number. */
const resultsInSight = 10;
/** The share of the budget for the first exchanges, which state the task. Three quarters remain for the newest ones. */
const headShare = 0.25;

/** Put before the kept messages if they would not begin with the user. */
const leadingUser: Message = { role: 'user', content: '[Earlier messages are left out.]' };

/** Messages that stay or leave together: an assistant's message with the results of its calls, or any other message alone. */
type Exchange = readonly Message[];

/** What a method that keeps or drops whole exchanges works with. */
interface Exchanges {
  readonly exchanges: readonly Exchange[];
  /** Tokens for exchanges. */
  readonly room: number;
  /** The messages to send if these exchanges stay. */
  keep(kept: readonly Exchange[]): readonly Message[];
}

/** The exchanges of messages. The system prompt stays, and takes its share of the budget. */
function exchangesIn(
  messages: readonly Message[],
  budget: number,
  tokensOf: (message: Message) => number,
): Exchanges {
  const system = messages.filter(({ role }) => role === 'system');
  const exchanges: Message[][] = [];
  let open = new Set<string>();
  for (const message of messages) {
    if (message.role === 'system') continue;
    const last = exchanges.at(-1);
    const answers = message.role === 'tool' && message.content.some(({ toolCallId }) => open.has(toolCallId));
    if (answers && last !== undefined) last.push(message);
    else exchanges.push([message]);
    if (message.role === 'assistant') open = new Set(toolCallsOf(message).map((call) => call.toolCallId));
  }
  return {
    exchanges,
    room: budget - totalTokens(system, tokensOf) - tokensOf(leadingUser),
    keep: (kept) => [...system, ...(kept[0]?.[0]?.role === 'user' ? [] : [leadingUser]), ...kept.flat()],
  };
}

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

function fitting(exchanges: readonly Exchange[], room: number, tokensOf: CountTokens): readonly Exchange[] {
  let left = room;
  const end = exchanges.findIndex((exchange) => {
    left -= totalTokens(exchange, tokensOf);
    return left < 0;
  });
  return end < 0 ? exchanges : exchanges.slice(0, end);
}

function newest(exchanges: readonly Exchange[], room: number, tokensOf: CountTokens): readonly Exchange[] {
  return fitting([...exchanges].reverse(), room, tokensOf).toReversed();
}

/** The baselines that anybody would write first. */
export const baselines: readonly Candidate[] = [
  reducing('keep-last', 'baseline', keepLast),
  reducing('keep-first-and-last', 'baseline', keepFirstAndLast),
  reducing('observation masking', 'baseline', observationMasking),
];

/** The whole conversation, whatever its size: nothing is lost. */
export const noCompression: Candidate = reducing('no compression', 'control', (messages) => messages);
