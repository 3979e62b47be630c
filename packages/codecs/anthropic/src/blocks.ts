import type { Message } from '@ctx/core';
import { fieldsOf, nativeInvalid, type Slot } from '@ctx/core/codec';
import { blockAt, type Calls, partOf } from './block-to-part.js';
import type { AnthropicRequest, AnyMessage } from './native-message.js';

/** The system prompt has the same form as a message and is treated like one. */
export type Native = AnyMessage;

/** A list of messages is a request without a system prompt. */
export function wholeRequest(conversation: AnthropicRequest | readonly AnyMessage[]): AnthropicRequest {
  return isList(conversation) ? { messages: conversation } : conversation;
}

export function isList(value: unknown): value is readonly AnyMessage[] {
  return Array.isArray(value);
}

/** @throws ValidationError if the value is not a message */
export function nativeAt(value: unknown, place: string): Native {
  const { role } = fieldsOf(value, place, 'A message is an object { role, content }.');
  if (role === 'user' || role === 'assistant' || role === 'system') return value as Native;
  const remedy = 'Use user or assistant; system for instructions that come later than the system prompt.';
  throw nativeInvalid('The role is not known', `${place}.role`, role, remedy);
}

/**
 * What the blocks of a message say, or some of them. Where all are empty texts, they are opaque; so is a message without any block.
 * @param indices positions of the blocks; all by default
 */
export function slotsOf(
  native: Native,
  indices: readonly number[] | undefined,
  role: Message['role'],
  calls: Calls,
  place: string,
): Slot[] {
  const { content } = native;
  const isText = typeof content === 'string';
  const blocks = blocksOf(native, place);
  const slots = (indices ?? [...blocks.keys()]).map((index) => {
    const at = isText ? place : `${contentPlace(place)}[${index}]`;
    const value = blocks[index];
    return { native: isText ? content : value, value, part: partOf(value, role, calls, at) };
  });
  if (slots.length === 0) return [{ native: undefined, part: { type: 'opaque', value: content ?? null } }];
  const isSilent = slots.every(({ part }) => part.type === 'text' && part.text === '');
  return slots.map(({ value, ...slot }) => (isSilent ? { ...slot, part: { type: 'opaque', value } } : slot));
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
