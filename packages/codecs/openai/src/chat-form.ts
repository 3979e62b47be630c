import { isErrorResult, type Message, type Part, partsOf } from '@ctx/core';
import {
  CallIds,
  CallNames,
  type Draft,
  type Fields,
  isFields,
  isMadeUpId,
  SlotCodec,
} from '@ctx/core/codec';
import type { ChatMessage } from './chat-message.js';
import { lostMediaType } from './media.js';
import { outputItems } from './output-content.js';
import { nativeOf } from './part-to-native.js';
import { type ChatSlot, roleOf, slotsOf } from './slots.js';

/** The form of Chat Completions. */
export const chat: SlotCodec<ChatSlot, ChatMessage> = new SlotCodec({
  name: 'openai',
  results: 'apart',
  readAgain: (message, { message: native }) => {
    // A tool message does not hold the name of its call, so the parts themselves tell.
    const parts = partsOf(message);
    const calls = { nameOf: CallNames.in(parts).nameOf, ids: CallIds.in(parts) };
    if (roleOf(native, calls, 'native.message') !== message.role) return undefined;
    if (!isAnswer(native as ChatMessage, message)) return undefined;
    return { native: native as ChatMessage, slots: slotsOf(native, calls, 'native.message') };
  },
  nativeOf,
  written,
  lostIn: (part) => [...lostMediaType(part), ...lostFailure(part)],
  itemsOf: outputItems,
});

/** False for a tool message with another result's id. */
function isAnswer(native: ChatMessage, { content }: Message): boolean {
  const [part] = content;
  if (typeof part !== 'object' || part.type !== 'tool-result') return true;
  const isOf = native.role === 'tool' && native.tool_call_id === part.toolCallId;
  return native.role === 'function' || isOf || isMadeUpId(part.toolCallId);
}

/** A tool message does not say that the tool failed. */
function lostFailure(part: Part): ReturnType<typeof lostMediaType> {
  if (part.type !== 'tool-result' || !isErrorResult(part)) return [];
  return [{ place: part.isError ? 'isError' : 'output.type', what: 'isError' }];
}

/** Sets the fields of a message that have changed, and removes lists that have become empty. */
function written({ message: first, before, kept }: Draft<ChatSlot, ChatMessage>): ChatMessage | undefined {
  const spots = kept.flatMap(({ spot }) => spot ?? []);
  if (before === undefined && spots.length === 0) return undefined;
  const message: Record<string, unknown> = { ...(before?.native ?? bare(first)) };
  const at = (field: ChatSlot['field']) =>
    spots.filter((one) => one.field === field).map(({ native }) => native);
  const content = joined(message.content, at('content'));
  if (content !== message.content) message.content = content;
  const fields = {
    tool_calls: at('tool_calls'),
    function_call: at('function_call')[0],
    refusal: at('refusal')[0],
    audio: at('audio')[0],
  };
  for (const [field, value] of Object.entries(fields)) {
    if (!isNothing(value)) message[field] = value;
    else if (!isNothing(message[field])) delete message[field];
  }
  return message as unknown as ChatMessage;
}

/** What a message of another provider is put into. */
function bare({ role, content: [part] }: Message): Fields {
  if (role === 'assistant') return { role, content: null };
  const isResult = typeof part === 'object' && part.type === 'tool-result';
  return isResult ? { role, tool_call_id: isMadeUpId(part.toolCallId) ? '' : part.toolCallId } : { role };
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

/** Content in its old form: a string if it was one and is still a single text. */
function joined(before: unknown, values: readonly unknown[]): unknown {
  if (values.length === 0) return before === undefined || before === '' ? before : null;
  const [only] = values;
  if (values.length === 1 && !isFields(only)) return only;
  return values.map((value) => (typeof value === 'string' ? { type: 'text', text: value } : value));
}
