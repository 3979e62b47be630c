import type { Message } from '@ctx/core';
import { CallNames, type DecodeContext, type Fields, isFields, nativeInvalid } from '@ctx/core/codec';
import { carriedBy } from './carried.js';
import { langchain } from './langchain-form.js';
import { roleOf, typeOf } from './native-message.js';
import { type Calls, slotsOf } from './slots.js';

/** @throws ValidationError `native-invalid` with the place that is not understood */
export function toMessages(conversation: readonly unknown[], { after }: DecodeContext = {}): Message[] {
  if (!Array.isArray(conversation)) {
    throw nativeInvalid('A list was expected', 'messages', conversation, 'Give a list of messages.');
  }
  const names = new CallNames(after);
  return conversation.map((native: unknown, index) => {
    const answered = answeredAfter(conversation, index);
    const calls: Calls = { nameOf: (id) => names.nameOf(id), isAnswered: (id) => answered.includes(id) };
    const message = decode(native, calls, `messages[${index}]`);
    names.see(message);
    return message;
  });
}

/** The ids of the calls that the tool messages right after a message answer. */
function answeredAfter(conversation: readonly unknown[], index: number): unknown[] {
  const ids: unknown[] = [];
  for (const native of conversation.slice(index + 1)) {
    if (!isFields(native) || typeOf(native) !== 'tool') break;
    ids.push(native.tool_call_id);
  }
  return ids;
}

function decode(native: unknown, calls: Calls, place: string): Message {
  const role = roleOf(native, place);
  const slots = slotsOf(native, calls, place);
  return langchain.message(role, slots, { message: native }, carriedBy(native as Fields, slots));
}
