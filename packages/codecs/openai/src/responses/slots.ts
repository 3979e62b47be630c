import type { Message, Part } from '@ctx/core';
import { type Fields, fieldsOf, isFields, nativeInvalid, type Slot } from '@ctx/core/codec';
import { callForm, callPart } from './call-forms.js';
import { contentList, contentPart, hasForm } from './content.js';
import { roleOf, typeOf } from './item-kind.js';
import { callField, outputForm } from './output-forms.js';

/** A part, the item that it comes from, and the value there. */
export interface ItemSlot extends Slot {
  readonly part: Part;
  /** Position of the item among those of the message. */
  readonly item: number;
}

/** What an output does not say about the call that it answers. */
export interface Calls {
  nameOf(toolCallId: string): string | undefined;
  /** The id of the call whose item has this id. */
  callOf(itemId: string): string | undefined;
}

/** The parts of the items of one message, in order. Every item has at least one. */
export function slotsOf(
  items: readonly Fields[],
  calls: Calls,
  placeOf: (index: number) => string,
): ItemSlot[] {
  return items.flatMap((item, index) => {
    const place = placeOf(index);
    const role = roleOf(item, place);
    if (typeOf(item) === 'message') return messageSlots(item, index, role, place);
    return [{ part: itemPart(item, role, calls, place), item: index, native: item }];
  });
}

function messageSlots(item: Fields, index: number, role: Message['role'], place: string): ItemSlot[] {
  const { content } = item;
  const slots = contentSlots(content, role, `${place}.content`).map((slot) => ({ ...slot, item: index }));
  const silent = slots.every(({ part }) => part.type === 'text' && part.text === '');
  return silent
    ? [{ part: { type: 'opaque', value: content ?? null }, item: index, native: content }]
    : slots;
}

function contentSlots(content: unknown, role: Message['role'], place: string): Omit<ItemSlot, 'item'>[] {
  if (content === undefined || content === null) return [];
  if (typeof content === 'string') return [{ part: { type: 'text', text: content }, native: content }];
  return contentList(content, place).map((native, position) => {
    const part = contentPart(native, `${place}[${position}]`);
    return { part: hasForm(part.type, role) ? part : { type: 'opaque', value: native }, native };
  });
}

function itemPart(item: Fields, role: Message['role'], calls: Calls, place: string): Part {
  const called = callForm(item);
  if (called !== undefined) return callPart(item, called, place);
  if (role === 'tool') return resultPart(item, calls, place);
  return item.type === 'reasoning' ? reasoningPart(item, place) : { type: 'opaque', value: item };
}

/** The summary and, where the model gives it, the reasoning itself; `encrypted` is what the provider reads. */
function reasoningPart(item: Fields, place: string): Part {
  const text = ['summary', 'content']
    .flatMap((field) => textsOf(item[field], `${place}.${field}`))
    .join('\n\n');
  const { encrypted_content: encrypted } = item;
  return { type: 'reasoning', text, ...(typeof encrypted === 'string' && { encrypted }) };
}

function textsOf(list: unknown, place: string): string[] {
  if (list === undefined || list === null) return [];
  return contentList(list, place).map((value, index) => {
    const { text } = fieldsOf(value, `${place}[${index}]`, 'A summary is a list of { type, text }.');
    if (typeof text === 'string') return text;
    throw nativeInvalid(
      'A string was expected',
      `${place}[${index}].text`,
      text,
      'A summary is a list of { type, text }.',
    );
  });
}

function resultPart(item: Fields, calls: Calls, place: string): Part {
  const form = outputForm(item);
  if (form === undefined) throw new TypeError(`no form of output: ${String(item.type)}`);
  const field = callField(item, form);
  const id = item[field];
  if (typeof id !== 'string' || id === '') {
    throw nativeInvalid(
      'A non-empty string was expected',
      `${place}.${field}`,
      id,
      'An output names the call that it answers.',
    );
  }
  const toolCallId = field === 'id' ? (calls.callOf(id) ?? id) : id;
  return {
    type: 'tool-result',
    toolCallId,
    toolName:
      calls.nameOf(toolCallId) ?? (typeof item.name === 'string' && item.name !== '' ? item.name : 'unknown'),
    output: form.read(item, place),
    ...(form.failed?.(item) && { isError: true }),
  };
}

/** The items of a message that this codec made; undefined for another one. */
export function itemsOf(native: unknown): readonly Fields[] | undefined {
  if (!isFields(native) || native.codec !== 'openai-responses' || !Array.isArray(native.message))
    return undefined;
  return native.message.every(isFields) ? native.message : undefined;
}
