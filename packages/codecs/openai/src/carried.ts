import type { Part } from '@ctx/core';
import { type Fields, isFields, otherFields } from '@ctx/core/codec';
import { isExact } from './exact-json.js';
import type { ChatSlot } from './slots.js';

/**
 * The places of fields that no part of core holds, such as `content[0].image_url.detail`: another provider's form loses them.
 * @param called the name that the call has which a message of the role `function` answers
 */
export function carriedBy(message: Fields, slots: readonly ChatSlot[], called: string | undefined): string[] {
  const { content, tool_calls: calls, function_call: call } = message;
  const parts = Array.isArray(content) ? contentParts(slots) : [];
  const isAssistant = message.role === 'assistant';
  return [
    ...otherFields(message, saidOf(message, called), ''),
    ...each(content, 'content', (item, place, index) => carriedByItem(item, parts[index], place)),
    ...(isAssistant ? each(calls, 'tool_calls', carriedByCall) : []),
    ...(isAssistant && isFields(call)
      ? otherFields(call, saidOfCalled(call, 'arguments'), 'function_call')
      : []),
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
function contentParts(slots: readonly ChatSlot[]): readonly Part[] {
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
      return otherFields(item, ['type'], place, { image_url: ['url'] });
    case 'file': {
      const said = part.filename === undefined ? ['file_data'] : ['file_data', 'filename'];
      return otherFields(item, ['type'], place, { file: said });
    }
    default:
      return [];
  }
}

function carriedByCall(call: Fields, place: string): string[] {
  const isCustom = isFields(call.custom);
  const said = saidOfCalled(isCustom ? call.custom : call.function, isCustom ? 'input' : 'arguments');
  return otherFields(call, ['id', 'type'], place, { [isCustom ? 'custom' : 'function']: said });
}

/** Arguments are parsed: digits of large numbers and repeated keys, which parsing loses, are carried. */
function saidOfCalled(called: unknown, text: 'arguments' | 'input'): string[] {
  const raw = isFields(called) ? called[text] : undefined;
  const isChanged = text === 'arguments' && typeof raw === 'string' && !isExact(raw);
  return isChanged ? ['name'] : ['name', text];
}

function each(
  list: unknown,
  place: string,
  carried: (item: Fields, place: string, index: number) => string[],
): string[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((item, index) => (isFields(item) ? carried(item, `${place}[${index}]`, index) : []));
}
