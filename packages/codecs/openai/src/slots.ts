import type { Message, Part } from '@ctx/core';
import {
  type CallIds,
  type CallNames,
  type Fields,
  fieldsOf,
  isFields,
  jsonOrText,
  nameAt,
  nativeInvalid,
  type Slot,
  stringAt,
} from '@ctx/core/codec';
import { mediaTypeOf } from './media.js';

/** A part, the field of the native message that it comes from, and the value there. */
export interface ChatSlot extends Slot {
  readonly part: Part;
  readonly field: 'content' | 'tool_calls' | 'function_call' | 'refusal' | 'audio';
}

/** What messages do not say of their calls: their names, and their ids where they have none. */
export interface Calls extends Pick<CallNames, 'nameOf'> {
  /** Missing where each call must have an id of its own. */
  readonly ids?: Pick<CallIds, 'ofCalls' | 'ofResult'> | undefined;
}

/** The old form of a call has no id. Its result comes right after it, so all of them may share one id. */
export const functionCallId = 'function_call';

/** The role of the core message for a native message. A `function` message that answers no call becomes a user message. */
export function roleOf(native: unknown, calls: Calls, place: string): Message['role'] {
  const message = fieldsOf(native, place, 'A message is an object { role, content }.');
  switch (message.role) {
    case 'system':
    case 'developer':
      return 'system';
    case 'user':
    case 'assistant':
      return message.role;
    case 'tool':
      return 'tool';
    case 'function':
      return calls.nameOf(functionCallId) === undefined ? 'user' : 'tool';
    default:
      throw nativeInvalid(
        'The role is not known',
        `${place}.role`,
        message.role,
        'Use system, developer, user, assistant, tool or function.',
      );
  }
}

/** The parts of a native message, in the order of its fields; a message without any content has one opaque part. */
export function slotsOf(native: unknown, calls: Calls, place: string): ChatSlot[] {
  const role = roleOf(native, calls, place);
  const message = native as Fields;
  if (role === 'tool')
    return [{ part: resultPart(message, calls, place), field: 'content', native: message.content }];
  const slots = contentSlots(message, role, place);
  if (role === 'assistant') slots.push(...assistantSlots(message, calls, place));
  const silent = slots.every(({ part }) => part.type === 'text' && part.text === '');
  const value = message.content ?? null;
  return silent ? [{ part: { type: 'opaque', value }, field: 'content', native: value }] : slots;
}

function contentSlots({ content }: Fields, role: Message['role'], place: string): ChatSlot[] {
  if (content === '' || content === null || content === undefined) return [];
  if (typeof content === 'string')
    return [{ part: { type: 'text', text: content }, field: 'content', native: content }];
  return contentList(content, place).map((item, index) => {
    const part = contentPart(item, `${place}.content[${index}]`);
    const known = role !== 'system' || part.type === 'text';
    return { part: known ? part : { type: 'opaque', value: item }, field: 'content', native: item };
  });
}

function contentList(content: unknown, place: string): unknown[] {
  if (Array.isArray(content)) return content;
  throw nativeInvalid(
    'The content is neither text nor a list',
    `${place}.content`,
    content,
    'Content is a string, a list of content parts or null.',
  );
}

function contentPart(
  item: unknown,
  place: string,
): Exclude<Part, { type: 'reasoning' | 'tool-call' | 'tool-result' }> {
  const fields = fieldsOf(item, place, 'A content part is an object { type, … }.');
  switch (nameAt(fields, 'type', place, 'A content part names its type.')) {
    case 'text':
      return { type: 'text', text: stringAt(fields, 'text', place, 'A text part is { type, text }.') };
    case 'image_url': {
      // Mistral takes the URL alone too.
      if (typeof fields.image_url === 'string' && fields.image_url !== '')
        return { type: 'image', image: fields.image_url };
      const remedy = 'An image part is { type, image_url: { url } }.';
      const image = fieldsOf(fields.image_url, `${place}.image_url`, remedy);
      return { type: 'image', image: nameAt(image, 'url', `${place}.image_url`, remedy) };
    }
    case 'file':
      return filePart(fields);
    default:
      return { type: 'opaque', value: item };
  }
}

function filePart(fields: Fields) {
  const { file_data: data, filename } = isFields(fields.file) ? fields.file : {};
  if (typeof data !== 'string' || data === '') return { type: 'opaque' as const, value: fields };
  const mediaType = mediaTypeOf(data) ?? 'application/octet-stream';
  return { type: 'file' as const, data, mediaType, ...(typeof filename === 'string' && { filename }) };
}

function assistantSlots(message: Fields, { ids }: Calls, place: string): ChatSlot[] {
  const slots: ChatSlot[] = [];
  for (const field of ['refusal', 'audio'] as const) {
    const value = message[field];
    if (value !== null && value !== undefined) {
      slots.push({ part: { type: 'opaque', value: { [field]: value } }, field, native: value });
    }
  }
  const { tool_calls: toolCalls, function_call: functionCall } = message;
  if (toolCalls !== null && toolCalls !== undefined) {
    if (!Array.isArray(toolCalls)) {
      throw nativeInvalid(
        'A list was expected',
        `${place}.tool_calls`,
        toolCalls,
        'Give a list of tool calls.',
      );
    }
    const known = ids?.ofCalls(toolCalls.map((call: unknown) => (isFields(call) ? call : {})));
    toolCalls.forEach((call: unknown, index) => {
      slots.push({
        part: callPart(call, known?.[index], `${place}.tool_calls[${index}]`),
        field: 'tool_calls',
        native: call,
      });
    });
  }
  if (isFields(functionCall)) {
    const part = calledPart(functionCallId, functionCall, 'arguments', `${place}.function_call`);
    slots.push({ part, field: 'function_call', native: functionCall });
  }
  return slots;
}

function callPart(value: unknown, known: string | undefined, place: string): Part {
  const call = fieldsOf(value, place, 'A tool call is { id, type, function: { name, arguments } }.');
  const id = known ?? nameAt(call, 'id', place, 'A tool call has an id, which its result names.');
  const [key, text] = isFields(call.custom)
    ? (['custom', 'input'] as const)
    : (['function', 'arguments'] as const);
  const called = fieldsOf(
    call[key],
    `${place}.${key}`,
    'A tool call holds { name, arguments } in `function`.',
  );
  return calledPart(id, called, text, `${place}.${key}`);
}

function calledPart(toolCallId: string, called: Fields, text: 'arguments' | 'input', place: string): Part {
  const toolName = nameAt(called, 'name', place, 'A tool call names its tool.');
  // Some servers leave them out where a tool takes none.
  const raw = (called[text] ?? undefined) === undefined ? '' : stringAt(called, text, place, argumentsRemedy);
  return { type: 'tool-call', toolCallId, toolName, input: text === 'input' ? raw : jsonOrText(raw) };
}

const argumentsRemedy = 'The arguments of a tool call are a string of JSON.';

function resultPart(message: Fields, calls: Calls, place: string): Part {
  const toolCallId =
    message.role === 'function'
      ? functionCallId
      : (calls.ids?.ofResult(message.tool_call_id) ??
        nameAt(message, 'tool_call_id', place, 'A tool message names the call it answers in tool_call_id.'));
  const name = typeof message.name === 'string' && message.name !== '' ? message.name : 'unknown';
  return {
    type: 'tool-result',
    toolCallId,
    toolName: calls.nameOf(toolCallId) ?? name,
    output: output(message, place),
    ...(message.messageStatus === 'error' && { isError: true }),
  };
}

function output({ content }: Fields, place: string) {
  if (content === null || content === undefined) return '';
  if (typeof content === 'string') return content;
  const value = contentList(content, place).map((item, index) =>
    contentPart(item, `${place}.content[${index}]`),
  );
  return { type: 'content' as const, value };
}
