import type { Message } from '@ctx/core';
import type { Draft, Fields } from '@ctx/core/codec';
import { isContent, messageOf } from './built.js';
import { hasForm } from './content.js';
import { typeOf } from './item-kind.js';
import type { ItemSlot } from './slots.js';

type ItemDraft = Draft<ItemSlot, readonly Fields[]>;
type Placed = ItemDraft['placed'][number];

/** Parts that are sent in one item: an old one by its position, or a new one. */
interface Sent {
  readonly item: number | undefined;
  readonly placed: Placed[];
}

/** The items of a message of which something was edited: those that say the same are the very same objects. */
export function edited(
  { message: { role }, placed }: ItemDraft,
  { native: items, slots }: NonNullable<ItemDraft['before']>,
): Fields[] {
  const all = sentIn(placed);
  const left = new Set(all.map(({ item }) => item));
  return all.flatMap((sent) => {
    const item = itemOf(sent, items, slots, role);
    if (item === undefined) return [];
    return [leadLeft(sent.item, items, left) ? withoutId(item) : item];
  });
}

/** Neighbouring parts of one item are sent in it. */
function sentIn(placed: readonly Placed[]): Sent[] {
  const all: Sent[] = [];
  for (const one of placed) {
    const last = all.at(-1);
    const item = one.slot?.item;
    if (last !== undefined && item !== undefined && last.item === item) last.placed.push(one);
    else all.push({ item, placed: [one] });
  }
  return all;
}

/** The item for parts; undefined if the API has no form for what they say. */
function itemOf(
  { item, placed }: Sent,
  items: readonly Fields[],
  slots: readonly ItemSlot[],
  role: Message['role'],
): Fields | undefined {
  const old = item === undefined ? undefined : items[item];
  const whole = slots.filter((slot) => slot.item === item).length;
  if (old !== undefined && placed.length === whole && placed.every(isSame)) return old;
  if (old !== undefined && typeOf(old) === 'message') return { ...old, content: contentOf(placed) };
  const [{ part, spot } = { part: undefined, spot: undefined }] = placed;
  if (part?.type === 'tool-call') return spot?.native as Fields;
  if (part === undefined || !isContent(part) || !hasForm(part.type, role)) return undefined;
  return messageOf([part], role);
}

function isSame({ slot, spot }: Placed): boolean {
  return slot !== undefined && spot === slot;
}

/** Content in its old form: a string if it was one and is still a single text. */
function contentOf(placed: readonly Placed[]): unknown {
  const [only] = placed;
  if (placed.length === 1 && only?.part.type === 'text' && typeof only.slot?.native === 'string')
    return only.part.text;
  return placed.flatMap(({ part, spot }) => (spot !== undefined && isContent(part) ? [spot.native] : []));
}

/**
 * True where reasoning that stood before an item is gone. The API knows by the item's id which reasoning it needs, and refuses it: "Item
 * 'fc_…' of type 'function_call' was provided without its required 'reasoning' item". Without the id it takes the item as new.
 */
function leadLeft(item: number | undefined, items: readonly Fields[], left: ReadonlySet<unknown>): boolean {
  if (item === undefined || items[item]?.type === 'reasoning') return false;
  let at = item - 1;
  while (at >= 0 && items[at]?.type !== 'reasoning') at -= 1;
  for (; at >= 0 && items[at]?.type === 'reasoning'; at -= 1) if (!left.has(at)) return true;
  return false;
}

/** Types of items whose ids other items name, or which are nothing but their id. Codex has long sent items of all other types without. */
const namedByOthers: readonly unknown[] = [
  'mcp_approval_request',
  'local_shell_call',
  'image_generation_call',
  'item_reference',
];

function withoutId(item: Fields): Fields {
  if (item.id === undefined || namedByOthers.includes(typeOf(item))) return item;
  const { id: _id, ...rest } = item;
  return rest;
}
