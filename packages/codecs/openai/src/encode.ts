import { type Message, type Part, partsOf, type ToolResultPart } from '@ctx/core';
import { equal, type Fields, isFields, jsonOf, sourcesOf } from '@ctx/core/codec';
import type { Slot } from './carried.js';
import type { ChatMessage } from './chat-message.js';
import { type Calls, roleOf, slotsOf } from './decode.js';
import { isUrl, toUrl } from './media.js';
import { kept, outputContent } from './output-content.js';

type Placed = Pick<Slot, 'field' | 'native'>;

/** Native messages: the very same objects if nothing was edited, otherwise copies in which only the edited parts are replaced. */
export function fromMessages(messages: readonly Message[]): ChatMessage[] {
  return messages.flatMap((message) => {
    const native = originOf(message);
    if (message.role === 'tool') return message.content.map((part) => resultMessage(part, native));
    return native === undefined ? built(message) : [edited(partsOf(message), message.role, native)];
  });
}

/** The native message that a message came from; undefined if another codec made it or the role has changed since. */
export function originOf(message: Message): ChatMessage | undefined {
  const { native, role } = message;
  if (!isFields(native) || native.codec !== 'openai') return undefined;
  const before = roleOf(native.message, callsOf(partsOf(message)), 'native.message');
  return before === role ? (native.message as ChatMessage) : undefined;
}

function resultMessage(part: ToolResultPart, native: ChatMessage | undefined): ChatMessage {
  if (native !== undefined && isAnswer(native, part)) return edited([part], 'tool', native);
  return { role: 'tool', tool_call_id: part.toolCallId, content: outputContent(part.output) as string };
}

/** True if a tool message came from this result. */
export function isAnswer(native: ChatMessage, { toolCallId }: ToolResultPart): boolean {
  return native.role === 'function' || (native.role === 'tool' && native.tool_call_id === toolCallId);
}

/** Decodes the native message again and compares. A message may come from a snapshot, in which no object is the same. */
function edited(parts: readonly Part[], role: Message['role'], native: ChatMessage): ChatMessage {
  const slots = slotsFor(parts, native);
  const before = slots.before.map(({ part }) => part);
  if (equal(parts, before)) return native;
  const placed = parts.flatMap((part, index) => placedAs(part, role, slots.of[index]));
  return assembled(native, placed);
}

/** The slots of a native message, and for each part the slot that it comes from. */
export function slotsFor(parts: readonly Part[], native: ChatMessage) {
  const before = slotsOf(native, callsOf(parts), 'native.message');
  const said = before.map(({ part }) => part);
  const sources = sourcesOf(parts, said);
  return { before, of: sources.map((source) => (source === undefined ? undefined : before[source])) };
}

/** The slot for a part: unchanged if the part says the same, none if the API has no place for it. */
export function placedAs(part: Part, role: Message['role'], slot: Slot | undefined): Placed[] {
  return slot !== undefined && equal(slot.part, part) ? [slot] : place(part, role, slot);
}

/** A tool message does not hold the name of its call, so this compares the part itself. */
function callsOf(parts: readonly Part[]): Calls {
  const calls = parts.filter((part) => part.type === 'tool-call' || part.type === 'tool-result');
  return {
    nameOf: (id) => calls.find((call) => call.toolCallId === id)?.toolName,
  };
}

function built(message: Message): ChatMessage[] {
  const placed = partsOf(message).flatMap((part) => place(part, message.role));
  if (placed.length === 0) return [];
  const base = message.role === 'assistant' ? { role: message.role, content: null } : { role: message.role };
  return [assembled(base, placed)];
}

/** Sets the fields of a message that have changed, and removes lists that have become empty. */
function assembled(base: object, placed: readonly Placed[]): ChatMessage {
  const message: Record<string, unknown> = { ...base };
  const at = (field: Slot['field']) => placed.filter((one) => one.field === field).map((one) => one.native);
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

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

/** Content in its old form: a string if it was one and is still a single text. */
function joined(before: unknown, values: readonly unknown[]): unknown {
  if (values.length === 0) return before === undefined || before === '' ? before : null;
  if (values.length === 1 && !isFields(values[0])) return values[0];
  return values.map((value) => (typeof value === 'string' ? { type: 'text', text: value } : value));
}

/** The slot for a part that no longer matches its native object. `slot` is the old one; its other fields stay. */
function place(part: Part, role: Message['role'], slot?: Slot): Placed[] {
  const old = isFields(slot?.native) ? slot.native : undefined;
  switch (part.type) {
    case 'text':
      if (old !== undefined && slot?.field === 'content')
        return [content({ ...kept(old, 'text'), type: 'text', text: part.text })];
      return part.text === '' && slot === undefined ? [] : [content(part.text)];
    case 'image': {
      if (role !== 'user') return [];
      const image = isFields(old?.image_url) ? old.image_url : {};
      const url = toUrl(part.image, part.mediaType ?? 'image/png');
      return [content({ ...kept(old, 'image_url'), type: 'image_url', image_url: { ...image, url } })];
    }
    case 'file': {
      if (role !== 'user' || isUrl(part.data)) return [];
      const { filename, mediaType } = part;
      const file = { file_data: toUrl(part.data, mediaType), ...(filename !== undefined && { filename }) };
      return [content({ ...kept(old, 'file'), type: 'file', file })];
    }
    case 'tool-call':
      return [placedCall(part, slot)];
    case 'tool-result':
      return [content(outputContent(part.output, slot))];
    case 'reasoning':
    case 'opaque':
      return [];
    default:
      return part satisfies never;
  }
}

function content(native: unknown): Placed {
  return { field: 'content', native };
}

function placedCall(part: Extract<Part, { type: 'tool-call' }>, slot: Slot | undefined): Placed {
  const { toolCallId: id, toolName: name, input } = part;
  const old: Fields = isFields(slot?.native) && slot.part.type === 'tool-call' ? slot.native : {};
  const json = jsonOf(input, 'input') || '{}';
  if (slot?.field === 'function_call')
    return { field: 'function_call', native: { ...old, name, arguments: json } };
  if (isFields(old.custom)) {
    const custom = { ...old.custom, name, input: typeof input === 'string' ? input : json };
    return { field: 'tool_calls', native: { ...old, id, custom } };
  }
  const called = isFields(old.function) ? old.function : {};
  return {
    field: 'tool_calls',
    native: { type: 'function', ...old, id, function: { ...called, name, arguments: json } },
  };
}
