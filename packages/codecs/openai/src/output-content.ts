import type { ToolOutput } from '@ctx/core';
import { equal, type Fields, isFields, jsonOf } from '@ctx/core/codec';
import type { ChatSlot } from './slots.js';

/**
 * The content of a tool message, which can only be text. Images and files of a result are left out, unless `slot` already holds them. A
 * result that was a list stays a list.
 */
export function outputContent(output: ToolOutput, slot?: ChatSlot): unknown {
  if (typeof output === 'string') return textContent(output, slot);
  switch (output.type) {
    case 'text':
    case 'error-text':
      return textContent(output.value, slot);
    case 'json':
    case 'error-json':
      return jsonOf(output.value, 'output');
    case 'content': {
      const items = outputItems(output.value, slot).filter((item) => item !== undefined);
      return items.length === 0 ? '' : items;
    }
    default:
      return output satisfies never;
  }
}

type OutputParts = Extract<ToolOutput, { type: 'content' }>['value'];

/** The content part for each part of a result; undefined if the API has none. */
export function outputItems(parts: OutputParts, slot?: ChatSlot): unknown[] {
  const natives: unknown[] = Array.isArray(slot?.native) ? slot.native : [];
  const before = slot?.part.type === 'tool-result' ? slot.part.output : '';
  const old = typeof before === 'object' && before.type === 'content' ? before.value : [];
  return parts.map((part, index) => {
    const native = natives[index];
    if (native !== undefined && equal(part, old[index])) return native;
    return part.type === 'text' ? textItem(part.text, native) : undefined;
  });
}

function textContent(text: string, slot: ChatSlot | undefined): unknown {
  const natives: unknown[] = Array.isArray(slot?.native) ? slot.native : [];
  return natives.length === 0 || text === '' ? text : [textItem(text, natives[0])];
}

function textItem(text: string, old: unknown): Fields {
  return { ...kept(isFields(old) ? old : undefined, 'text'), type: 'text', text };
}

/** The fields of an old content part that also suit the new type. Fields of one type only are named after it. */
export function kept(old: Fields | undefined, type: string): Fields {
  if (old === undefined || old.type === type) return old ?? {};
  const { [String(old.type)]: _peculiar, ...others } = old;
  return others;
}
