import type { Part } from '@ctx/core';
import { type Fields, isFields, otherFields } from '@ctx/core/codec';
import { isExact } from './exact-json.js';

/** A part, the field of the native message that it comes from, and the value there. */
export interface Slot {
  readonly part: Part;
  readonly field: 'content' | 'tool_calls' | 'function_call' | 'refusal' | 'audio';
  readonly native: unknown;
}

/**
 * The places of fields that no part says, such as `content[0].image_url.detail`: another provider's form loses them.
 * @param called the name that the call has which a message of the role `function` answers
 */
export function carriedBy(message: Fields, slots: readonly Slot[], called: string | undefined): string[] {
  const { content, tool_calls: calls, function_call: call } = message;
  const parts = Array.isArray(content) ? contentParts(slots) : [];
  const isAssistant = message.role === 'assistant';
  return [
    ...otherFields(message, saidOf(message, called), ''),
    ...each(content, 'content', (item, place, index) => carriedByItem(item, parts[index], place)),
    ...(isAssistant ? each(calls, 'tool_calls', carriedByCall) : []),
    ...(isAssistant ? carriedByArguments(call, 'arguments', 'function_call') : []),
  ];
}

/** The fields of a message that its role and parts say. What another role has for it is carried. */
function saidOf(message: Fields, called: string | undefined): string[] {
  switch (message.role) {
    case 'assistant': {
      const call = isFields(message.function_call) ? ['function_call'] : [];
      return ['role', 'content', 'refusal', 'audio', 'tool_calls', ...call];
    }
    case 'tool':
      return ['role', 'content', 'tool_call_id'];
    case 'function':
      return message.name === called ? ['content', 'name'] : ['content'];
    case 'developer':
      return ['content'];
    default:
      return ['role', 'content'];
  }
}

/** The part of each item of a list of content. */
function contentParts(slots: readonly Slot[]): readonly Part[] {
  const parts = slots.flatMap(({ part, field }) => (field === 'content' ? [part] : []));
  const [only] = parts;
  if (only?.type !== 'tool-result') return parts;
  return typeof only.output !== 'string' && only.output.type === 'content' ? only.output.value : [];
}

/** An opaque part holds all fields of its item. */
function carriedByItem(item: Fields, part: Part | undefined, place: string): string[] {
  switch (part?.type) {
    case 'text':
      return otherFields(item, ['type', 'text'], place);
    case 'image':
      return [
        ...otherFields(item, ['type', 'image_url'], place),
        ...inside(item.image_url, ['url'], `${place}.image_url`),
      ];
    case 'file': {
      const said = part.filename === undefined ? ['file_data'] : ['file_data', 'filename'];
      return [...otherFields(item, ['type', 'file'], place), ...inside(item.file, said, `${place}.file`)];
    }
    default:
      return [];
  }
}

function carriedByCall(call: Fields, place: string): string[] {
  const [key, text] = isFields(call.custom)
    ? (['custom', 'input'] as const)
    : (['function', 'arguments'] as const);
  return [
    ...otherFields(call, ['id', 'type', key], place),
    ...carriedByArguments(call[key], text, `${place}.${key}`),
  ];
}

/** Arguments are said parsed: what a number or a key that stands there twice loses by that is carried. */
function carriedByArguments(called: unknown, text: 'arguments' | 'input', place: string): string[] {
  const raw = isFields(called) ? called[text] : undefined;
  const isChanged = text === 'arguments' && typeof raw === 'string' && !isExact(raw);
  return inside(called, isChanged ? ['name'] : ['name', text], place);
}

function each(
  list: unknown,
  place: string,
  carried: (item: Fields, place: string, index: number) => string[],
): string[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((item, index) => (isFields(item) ? carried(item, `${place}[${index}]`, index) : []));
}

function inside(fields: unknown, known: readonly string[], place: string): string[] {
  return isFields(fields) ? otherFields(fields, known, place) : [];
}
