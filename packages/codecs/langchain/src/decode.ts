import type { Message } from '@ctx/core';
import {
  CallIds,
  CallNames,
  type DecodeContext,
  type Fields,
  isFields,
  nativeInvalid,
} from '@ctx/core/codec';
import { langchain } from './langchain-form.js';
import { type Named, named, ownSlots } from './named-calls.js';
import { roleOf, typeOf } from './native-message.js';
import { type Calls, slotsOf } from './slots.js';

/** @throws ValidationError `native-invalid` with the place that is not understood */
export function toMessages(conversation: readonly unknown[], { after }: DecodeContext = {}): Message[] {
  if (!Array.isArray(conversation)) {
    throw nativeInvalid('A list was expected', 'messages', conversation, 'Give a list of messages.');
  }
  const names = new CallNames(after);
  const ids = new CallIds(after);
  const all = conversation.map((native: unknown) => named(native, (role, own) => ids.idsFor(role, own)));
  return conversation.map((native: unknown, index) => {
    const answered = answeredAfter(all, index);
    const calls: Calls = { nameOf: (id) => names.nameOf(id), isAnswered: (id) => answered.includes(id) };
    const message = decode(native, all[index] as Named, calls, `messages[${index}]`);
    names.see(message);
    return message;
  });
}

/** The ids of the calls that the tool messages right after a message answer. */
function answeredAfter(all: readonly Named[], index: number): unknown[] {
  const ids: unknown[] = [];
  for (let at = index + 1; at < all.length; at += 1) {
    const native = all[at]?.message;
    if (!isFields(native) || typeOf(native) !== 'tool') break;
    ids.push(native.tool_call_id);
  }
  return ids;
}

function decode(native: unknown, one: Named, calls: Calls, place: string): Message {
  const role = roleOf(native, place);
  const slots = ownSlots(slotsOf(one.message, calls, place), one, native as Fields);
  const { ids } = one;
  const origin = { message: native, ...(ids !== undefined && { ids }) };
  const isSummary = slots.some((slot) => isCompaction(slot.native));
  const isPinned = isSummary || bringsTools(native as Fields);
  return langchain.message(role, slots, origin, {
    ...(isPinned && { pinned: true }),
    ...(isSummary && { summary: true }),
  });
}

/** A block that Anthropic wrote in place of everything before it. Like a summary, it begins an epoch. */
function isCompaction(block: unknown): boolean {
  return isFields(block) && block.type === 'compaction';
}

/** What a search for tools found: without it the model doesn't know them. */
function bringsTools({ content, additional_kwargs, response_metadata }: Fields): boolean {
  const outputs = [Object(additional_kwargs).tool_outputs, Object(response_metadata).output];
  return [content, ...outputs].some((list) => Array.isArray(list) && list.some(isFound));
}

function isFound(block: unknown): boolean {
  if (!isFields(block)) return false;
  const { type, content } = block;
  return type === 'tool_search_output' || (isFields(content) && Array.isArray(content.tool_references));
}
