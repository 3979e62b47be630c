import { type Fields, isFields, otherFields } from '@ctx/core/codec';
import { isExact } from '../exact-json.js';
import { callForm, saidByCall } from './call-forms.js';
import { type ContentPart, saidByContent } from './content.js';
import { typeOf } from './item-kind.js';
import { outputForm } from './output-forms.js';
import type { ItemSlot } from './slots.js';

/** The places of fields that no part of core holds, such as `[0].status`: another provider's form loses them. */
export function carriedBy(items: readonly Fields[], slots: readonly ItemSlot[]): string[] {
  return items.flatMap((item, index) => {
    const own = slots.filter((slot) => slot.item === index);
    return carriedByItem(item, own, `[${index}]`);
  });
}

function carriedByItem(item: Fields, slots: readonly ItemSlot[], place: string): string[] {
  const part = slots[0]?.part;
  if (typeOf(item) === 'message') return carriedByMessage(item, slots, place);
  if (part?.type === 'tool-call') return carriedByCall(item, place);
  if (part?.type === 'tool-result') return outputForm(item)?.carried(item, part.output, place) ?? [];
  return part?.type === 'reasoning' ? carriedByReasoning(item, place) : [];
}

/** A developer becomes the system. */
function carriedByMessage(item: Fields, slots: readonly ItemSlot[], place: string): string[] {
  const said = ['type', 'content', ...(item.role === 'developer' ? [] : ['role'])];
  const content = slots.flatMap(({ part, native }, index) => {
    const known = isFields(native) ? saidByContent(native, part as ContentPart) : undefined;
    return known === undefined ? [] : otherFields(native as Fields, known, `${place}.content[${index}]`);
  });
  return [...otherFields(item, said, place), ...content];
}

function carriedByCall(item: Fields, place: string): string[] {
  const form = callForm(item);
  if (form === undefined) return [];
  const said = saidByCall(item, form);
  const text = item[form.input];
  const isChanged = form.as !== 'value' && typeof text === 'string' && !isExact(text);
  return otherFields(item, isChanged ? said.filter((field) => field !== form.input) : said, place);
}

function carriedByReasoning(item: Fields, place: string): string[] {
  const texts = ['summary', 'content'].flatMap((field) => {
    const list: unknown = item[field];
    return (Array.isArray(list) ? list : []).flatMap((one: Fields, index) =>
      otherFields(one, ['type', 'text'], `${place}.${field}[${index}]`),
    );
  });
  const said = ['type', 'summary', 'content'];
  if (typeof item.encrypted_content === 'string') said.push('encrypted_content');
  return [...otherFields(item, said, place), ...texts];
}
