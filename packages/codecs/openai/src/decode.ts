import { type Message, toolCallsOf } from '@ctx/core';
import {
  CallIds,
  CallNames,
  createdAt,
  type DecodeContext,
  type Fields,
  isFields,
  nativeInvalid,
} from '@ctx/core/codec';
import { chat } from './chat-form.js';
import { type Calls, type ChatSlot, functionCallId, roleOf, slotsOf } from './slots.js';

/** @throws ValidationError `native-invalid` with the place that is not understood */
export function toMessages(conversation: readonly object[], { after }: DecodeContext = {}): Message[] {
  if (!Array.isArray(conversation)) {
    throw nativeInvalid('A list was expected', 'messages', conversation, 'Give the `messages` of a request.');
  }
  const names = new CallNames(after);
  const calls = {
    // All calls of the old form have one id, so only the message right before identifies the call.
    nameOf: (id: string) => (id === functionCallId ? oldCallIn(names.newest) : names.nameOf(id)),
    ids: new CallIds(after),
  };
  return conversation.map((native: unknown, index) => {
    const message = decode(native, calls, `messages[${index}]`);
    names.see(message);
    return message;
  });
}

function oldCallIn(message: Message | undefined): string | undefined {
  const calls = message === undefined ? [] : toolCallsOf(message);
  return calls.findLast(({ toolCallId }) => toolCallId === functionCallId)?.toolName;
}

function decode(native: unknown, calls: Calls, place: string): Message {
  const slots = slotsOf(native, calls, place);
  return chat.message(
    roleOf(native, calls, place),
    slots,
    { message: native },
    {
      ...createdAt((native as Fields).timestamp),
      ...(slots.some(isCompaction) && { pinned: true, summary: true }),
    },
  );
}

/**
 * An item that the provider wrote in place of everything before it. The rest makes no sense without it, so it is pinned. Like a summary,
 * it begins an epoch.
 */
function isCompaction({ part, native }: ChatSlot): boolean {
  return part.type === 'opaque' && isFields(native) && native.type === 'compaction';
}
