import { type Message, type Part, toolCallsOf } from '@ctx/core';
import {
  createdAt,
  type DecodeContext,
  type Fields,
  fieldsOf,
  isFields,
  nativeInvalid,
} from '@ctx/core/codec';
import { type BlockRole, blockAt, isResult, type NameOf, partOf } from './block-to-part.js';
import { carriedBy } from './carried.js';
import type { AnthropicRequest, AnyMessage } from './native-message.js';
import { isSplit } from './server-tools.js';

/** The system prompt has the same form as a message and is treated like one. */
export type Native = AnyMessage;

/** The value on `Message.native`. */
export interface Origin {
  readonly codec: 'anthropic';
  readonly message: Native;
  /** Positions of the message's blocks, if the other blocks belong to another message. */
  readonly blocks?: readonly number[];
  /** True if the native message before it was the assistant's too: the API wrote both, in this order. */
  readonly continues?: true;
  /** True for a system message among the other messages, outside the system prompt. */
  readonly inMessages?: true;
  /** Places of fields that no part holds. */
  readonly carries?: readonly string[];
}

/** @throws ValidationError `native-invalid` with the place that is not understood */
export function toMessages(
  conversation: AnthropicRequest | readonly AnyMessage[],
  { after = [] }: DecodeContext = {},
): Message[] {
  const remedy = 'Give a list of messages, or the `system` and `messages` of a request.';
  const { system, messages } = fieldsOf(wholeRequest(conversation), 'conversation', remedy);
  if (!Array.isArray(messages)) throw nativeInvalid('A list was expected', 'messages', messages, remedy);
  const names = new Map<string, string>();
  const nameOf = (id: string) => names.get(id) ?? nameIn(after, id);
  const decoded: Message[] = [];
  if (system !== undefined)
    decoded.push(...decode({ role: 'system', content: system } as Native, nameOf, 'system'));
  let last: Message['role'] | undefined = after.at(-1)?.role;
  messages.forEach((value: unknown, index) => {
    const native = nativeAt(value, `messages[${index}]`);
    const position = {
      ...(native.role === 'assistant' && last === 'assistant' && { continues: true as const }),
      ...(native.role === 'system' && { inMessages: true as const }),
    };
    last = native.role;
    for (const message of decode(native, nameOf, `messages[${index}]`, position)) {
      for (const { toolCallId, toolName } of toolCallsOf(message)) names.set(toolCallId, toolName);
      decoded.push(message);
    }
  });
  return decoded;
}

/** A list of messages is a request without a system prompt. */
export function wholeRequest(conversation: AnthropicRequest | readonly AnyMessage[]): AnthropicRequest {
  return isList(conversation) ? { messages: conversation } : conversation;
}

export function isList(value: unknown): value is readonly AnyMessage[] {
  return Array.isArray(value);
}

/** The name of the nearest call with this id. */
function nameIn(messages: readonly Message[], id: string): string | undefined {
  const named = messages.findLast((message) => toolCallsOf(message).some((call) => call.toolCallId === id));
  return named && toolCallsOf(named).find((call) => call.toolCallId === id)?.toolName;
}

/** @throws ValidationError if the value is not a message */
export function nativeAt(value: unknown, place: string): Native {
  const { role } = fieldsOf(value, place, 'A message is an object { role, content }.');
  if (role === 'user' || role === 'assistant' || role === 'system') return value as Native;
  const remedy = 'Use user or assistant; system for instructions that come later than the system prompt.';
  throw nativeInvalid('The role is not known', `${place}.role`, role, remedy);
}

/** One message, or two if a native message has both results and other blocks. */
export function decode(
  native: Native,
  nameOf: NameOf,
  place: string,
  position: Pick<Origin, 'continues' | 'inMessages'> = {},
): Message[] {
  const blocks = blocksOf(native, place);
  const all = [...blocks.keys()];
  const results = native.role === 'user' ? all.filter((index) => isResult(blocks[index])) : [];
  const others = all.filter((index) => !results.includes(index));
  const origin: Origin = { codec: 'anthropic', message: native, ...position };
  if (results.length === 0) return [messageOf(native.role, origin, nameOf, place)];
  if (others.length === 0) return [messageOf('tool', origin, nameOf, place)];
  return [
    messageOf('tool', { ...origin, blocks: results }, nameOf, place),
    messageOf('user', { ...origin, blocks: others }, nameOf, place),
  ];
}

function messageOf(role: BlockRole, origin: Origin, nameOf: NameOf, place: string): Message {
  const { content } = origin.message;
  const isText = typeof content === 'string' && content !== '';
  const blocks = blocksOf(origin.message, place);
  const indices = indicesOf(origin, blocks);
  const parts = partsFrom(role, origin, nameOf, place);
  const carries = carriedBy(origin.message, blocks, indices, parts);
  return {
    role,
    content: isText ? content : parts,
    ...createdAt((origin.message as unknown as Fields).timestamp),
    ...(isSplit(indices.map((index) => blocks[index])) && { pinned: true }),
    ...(indices.some((index) => isCompaction(blocks[index])) && { pinned: true, summary: true }),
    native: carries.length === 0 ? origin : { ...origin, carries },
  } as Message;
}

/**
 * A block that the API wrote in place of everything before it. The rest makes no sense without it, so it is pinned. Like a summary, it
 * begins an epoch.
 */
function isCompaction(block: unknown): boolean {
  return isFields(block) && block.type === 'compaction';
}

/** The parts for an origin, one for each block. If there is no content at all, they are opaque. */
export function partsFrom(role: BlockRole, origin: Origin, nameOf: NameOf, place: string): Part[] {
  const blocks = blocksOf(origin.message, place);
  const parts = indicesOf(origin, blocks).map((index) =>
    partOf(
      blocks[index],
      role,
      nameOf,
      typeof origin.message.content === 'string' ? place : `${contentPlace(place)}[${index}]`,
    ),
  );
  if (parts.length === 0) return [{ type: 'opaque', value: origin.message.content ?? null }];
  const silent = parts.every((part) => part.type === 'text' && part.text === '');
  return silent
    ? indicesOf(origin, blocks).map((index) => ({ type: 'opaque', value: blocks[index] }))
    : parts;
}

export function indicesOf(origin: Origin, blocks: readonly unknown[]): readonly number[] {
  return origin.blocks ?? [...blocks.keys()];
}

/** The blocks of a message; a string is one text block. A system message may have none. */
export function blocksOf({ role, content }: Native, place: string): readonly unknown[] {
  if (role === 'system' && content === undefined) return [];
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (!Array.isArray(content)) {
    const remedy = 'Content is a string or a list of content blocks.';
    throw nativeInvalid('The content is neither text nor a list', contentPlace(place), content, remedy);
  }
  content.forEach((block, index) => {
    blockAt(block, `${contentPlace(place)}[${index}]`);
  });
  return content;
}

function contentPlace(place: string): string {
  return place === 'system' ? place : `${place}.content`;
}
