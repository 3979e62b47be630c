import type { CallIds, Fields } from '@ctx/core/codec';
import { callForm } from './call-forms.js';
import { callField, outputForm } from './output-forms.js';
import type { ItemSlot } from './slots.js';

/** Items in which each call and output has an id by which they find each other. */
export interface Named {
  /** The very items if their own ids will do. */
  readonly items: readonly Fields[];
  /** Those that the calls or the output got, in order. */
  readonly ids?: readonly string[] | undefined;
}

/**
 * @param items those of one message
 * @param idsFor gives the calls or the output of a message their ids, where their own won't do
 */
export function named(items: readonly Fields[], idsFor: CallIds['idsFor']): Named {
  const [first] = items;
  const output = first === undefined ? undefined : outputForm(first);
  const fieldOf = (item: Fields) => (output === undefined ? callForm(item)?.id : callField(item, output));
  // An item's own id, by which some outputs name their call, is never empty.
  const has = items.map(fieldOf).map((field) => (field === 'id' ? undefined : field));
  const own = items.flatMap((item, at) => (has[at] === undefined ? [] : [item[has[at]]]));
  const ids = idsFor(output === undefined ? 'assistant' : 'tool', own);
  if (ids === undefined) return { items };
  let position = 0;
  return {
    items: items.map((item, at) => (has[at] === undefined ? item : { ...item, [has[at]]: ids[position++] })),
    ids,
  };
}

/** The slots of named items, with the values that the items themselves have. */
export function ownSlots(
  slots: readonly ItemSlot[],
  { items }: Named,
  own: readonly Fields[],
): readonly ItemSlot[] {
  if (items === own) return slots;
  return slots.map((slot) => (slot.native === items[slot.item] ? { ...slot, native: own[slot.item] } : slot));
}
