import type { Message } from '@ctx/core';
import { type Fields, isFields, nativeInvalid } from '@ctx/core/codec';
import { callForms } from './call-forms.js';
import { answersNone, outputForm, outputForms } from './output-forms.js';

/** The type of an item. The short form of a message and a reference may omit it. */
export function typeOf(item: Fields): unknown {
  if (item.type !== undefined && item.type !== null) return item.type;
  if (item.role !== undefined || item.content !== undefined) return 'message';
  return item.id === undefined ? undefined : 'item_reference';
}

/** The role of the core message that an item is part of. */
export function roleOf(item: Fields, place: string): Message['role'] {
  const type = typeOf(item);
  if (typeof type !== 'string' || type === '') {
    throw nativeInvalid(
      'The item has no type',
      `${place}.type`,
      item.type,
      'An item is an object { type, … }.',
    );
  }
  if (type === 'message') return messageRole(item, place);
  if (settings.includes(type)) return 'system';
  if (answersNone(item)) return 'user';
  return outputForm(item) === undefined ? 'assistant' : 'tool';
}

/** Items with which a client configures the conversation. */
const settings: readonly string[] = ['additional_tools', 'configuration_update', 'compaction_trigger'];

function messageRole({ role }: Fields, place: string): 'system' | 'user' | 'assistant' {
  if (role === 'system' || role === 'developer') return 'system';
  if (role === 'user' || role === 'assistant') return role;
  throw nativeInvalid(
    'The role is not known',
    `${place}.role`,
    role,
    'Use system, developer, user or assistant.',
  );
}

/** Items that no known rule keeps: they may be removed with the message that they are part of. */
const mayLeave: ReadonlySet<unknown> = new Set([
  'message',
  'reasoning',
  'web_search_call',
  'file_search_call',
  'code_interpreter_call',
  'image_generation_call',
  'mcp_call',
]);

/**
 * True for an item that has to stay as it is: one that replaces what precedes it, one that later items build on (tools that are
 * brought or found, programs that make calls), one that is stored elsewhere, and one of a type that is not known.
 */
export function isPinned(item: Fields): boolean {
  if (isFields(item.caller) && item.caller.type === 'program') return true;
  const type = typeOf(item) as string;
  return !mayLeave.has(type) && !Object.hasOwn(callForms, type) && !Object.hasOwn(outputForms, type);
}

/** True for an item that stays when its neighbours are removed, so it becomes a separate message. */
export function isAlone(item: Fields): boolean {
  return isCompaction(item) || item.type === 'mcp_list_tools';
}

/** An item that the provider wrote in place of everything before it. */
export function isCompaction(item: Fields): boolean {
  return item.type === 'compaction';
}

/** True for a call that waits for an item with its output. */
export function isCall(item: Fields): boolean {
  return typeof item.type === 'string' && Object.hasOwn(callForms, item.type);
}
