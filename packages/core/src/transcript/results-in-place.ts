import { equal } from '../base/equal.js';
import {
  isErrorResult,
  itemsOf,
  type Message,
  messageText,
  outputText,
  type ToolResultPart,
  toolCallsOf,
} from './message.js';

/** The first line of the text that a result without a call becomes. */
const strayResult = /^\[Result of [^\]\n]{1,200}: (failed|its call is not in the conversation)\]\n/;

/** How ids begin that codecs make up for calls without one. */
const unnamed = /^unnamed[-_]/;

/** True for a result without a call, as `resultsInPlace` makes a text of it: nobody has said it. */
export function isStrayResult(message: Message): boolean {
  return message.role === 'user' && strayResult.test(messageText(message));
}

interface Call {
  readonly id: string;
  readonly name: string;
  readonly at: number;
  /** The position of the last message with results that follow it, or its own. */
  end: number;
  result?: ToolResultPart;
}

interface Place {
  /** The results that stay in it; all if missing. */
  staying?: ToolResultPart[];
  readonly moved: Message[];
  /** What becomes text after the results that follow each other here. */
  readonly texts: Message[];
}

/**
 * A history in which each result follows its call, as every provider demands: results that come before their call or later than something
 * else are moved to it, one that is there twice is left out, and one without a call becomes a text. The same list if there is nothing to
 * mend.
 */
export function resultsInPlace(messages: readonly Message[]): readonly Message[] {
  if (areInPlace(messages)) return messages;
  const calls = callsIn(messages);
  const places = messages.map((): Place => ({ moved: [], texts: [] }));
  for (const [at, { message, result }] of strayIn(messages, calls)) {
    const { staying = resultsOf(message) } = places[at] as Place;
    (places[at] as Place).staying = staying.filter((one) => one !== result);
    const call = openCallFor(result, at, calls);
    if (call !== undefined) {
      call.result = result;
      (places[call.end] as Place).moved.push(moved(message, result, call));
    } else if (!calls.some((one) => isSame(one.result, result)))
      (places[at] as Place).texts.push(asText(message, result));
  }
  return messages.flatMap((message, at) => {
    const { staying, moved, texts } = places[at] as Place;
    const isEmpty = staying?.length === 0;
    const kept = staying === undefined ? [message] : isEmpty ? [] : [withOnly(message, staying)];
    return [
      ...kept,
      ...moved,
      ...(messages[at + 1]?.role === 'tool' ? [] : textsUpTo(messages, at, places, texts)),
    ];
  });
}

/** The texts of the results that follow each other up to a position. */
function textsUpTo(
  messages: readonly Message[],
  at: number,
  places: readonly Place[],
  texts: readonly Message[],
): readonly Message[] {
  if (messages[at]?.role !== 'tool') return texts;
  let start = at;
  while (messages[start - 1]?.role === 'tool') start -= 1;
  return places.slice(start, at + 1).flatMap((place) => place.texts);
}

function areInPlace(messages: readonly Message[]): boolean {
  let open: readonly string[] = [];
  for (const message of messages) {
    if (message.role !== 'tool') {
      open = toolCallsOf(message).map(({ toolCallId }) => toolCallId);
      continue;
    }
    for (const { toolCallId } of message.content) {
      if (!open.includes(toolCallId)) return false;
      open = open.filter((id) => id !== toolCallId);
    }
  }
  return true;
}

function callsIn(messages: readonly Message[]): Call[] {
  const calls: Call[] = [];
  let open: readonly Call[] = [];
  for (const [at, message] of messages.entries()) {
    if (message.role !== 'tool') {
      open = toolCallsOf(message).map(({ toolCallId: id, toolName: name }) => ({ id, name, at, end: at }));
      calls.push(...open);
      continue;
    }
    for (const call of open) call.end = at;
    for (const result of message.content) {
      const call = open.find(({ id, result: known }) => id === result.toolCallId && known === undefined);
      if (call !== undefined) call.result = result;
    }
  }
  return calls;
}

function strayIn(
  messages: readonly Message[],
  calls: readonly Call[],
): [number, { message: Message; result: ToolResultPart }][] {
  const placed = new Set(calls.map(({ result }) => result));
  return messages.flatMap((message, at) =>
    resultsOf(message)
      .filter((result) => !placed.has(result))
      .map((result): [number, { message: Message; result: ToolResultPart }] => [at, { message, result }]),
  );
}

/** The nearest call before a result that has none yet, otherwise the nearest after it. Where calls have no ids, its tool tells. */
function openCallFor(
  { toolCallId, toolName }: ToolResultPart,
  at: number,
  calls: readonly Call[],
): Call | undefined {
  const isNamed = !unnamed.test(toolCallId);
  const open = calls.filter(
    ({ id, name, result }) => result === undefined && (isNamed ? id === toolCallId : name === toolName),
  );
  return open.findLast((call) => call.at < at) ?? open.find((call) => call.at > at);
}

function resultsOf(message: Message): ToolResultPart[] {
  return message.role === 'tool' ? [...message.content] : [];
}

/** Where calls have no ids, a result that is there twice has no call of its own: its tool and its words tell. */
function isSame(one: ToolResultPart | undefined, other: ToolResultPart): boolean {
  if (one === undefined || !equal(one.output, other.output)) return false;
  return unnamed.test(other.toolCallId)
    ? one.toolName === other.toolName
    : one.toolCallId === other.toolCallId;
}

function withOnly(message: Message, results: readonly ToolResultPart[]): Message {
  return { ...message, content: results } as Message;
}

/** Where it comes after other results, some forms put them into one native message. */
function moved(message: Message, result: ToolResultPart, { id: toolCallId, at, end }: Call): Message {
  if (at === end && message.content.length === 1 && result.toolCallId === toolCallId) return message;
  const { id: _, native: __, ...rest } = message;
  return { ...rest, content: [{ ...result, toolCallId }] } as Message;
}

function asText({ createdAt }: Message, result: ToolResultPart): Message {
  const { toolName, output } = result;
  const what = isErrorResult(result) ? 'failed' : 'its call is not in the conversation';
  const media = itemsOf(result).filter(({ type }) => type === 'image' || type === 'file');
  const name = toolName === 'unknown' ? 'a tool' : toolName.replace(/[\]\n]/g, ' ').slice(0, 100);
  const text = `[Result of ${name}: ${what}]\n${outputText(output)}`;
  return {
    role: 'user',
    content: media.length === 0 ? text : [{ type: 'text', text }, ...media],
    ...(createdAt !== undefined && { createdAt }),
  } as Message;
}
