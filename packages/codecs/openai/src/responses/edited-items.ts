import type { Message, Part } from '@ctx/core';
import { equal, type Fields, isFields, sourcesOf } from '@ctx/core/codec';
import { isContent, lostOf, messageOf, type Sent } from './built.js';
import { callItem } from './call-forms.js';
import { type ContentPart, contentItem, hasForm } from './content.js';
import { typeOf } from './item-kind.js';
import { type Slot, slotsOf } from './slots.js';

/** A part as it is now, and where it was. */
interface Placed {
  readonly part: Part;
  readonly slot: Slot | undefined;
}

/** Parts that are sent in one item: an old one by its position, or a new one. */
interface Draft {
  readonly item: number | undefined;
  readonly placed: Placed[];
}

/** Decodes the items again and compares. A message may come from a snapshot, in which no object is the same. */
export function edited(parts: readonly Part[], role: Message['role'], items: readonly Fields[]): Sent {
  const slots = slotsOf(items, noCalls, (index) => `native.message[${index}]`);
  const before = slots.map(({ part }) => part);
  if (equal(parts, before)) return { items, lost: [] };
  const sources = sourcesOf(parts, before);
  const placed = parts.map((part, index) => {
    const source = sources[index];
    return { part, slot: source === undefined ? undefined : slots[source] };
  });
  const drafts = draftsOf(placed);
  const left = new Set(drafts.map(({ item }) => item));
  return {
    items: drafts.flatMap((draft) => {
      const item = itemOf(draft, items, slots, role);
      if (item === undefined) return [];
      return [leadLeft(draft.item, items, left) ? withoutId(item) : item];
    }),
    lost: placed.flatMap(({ part, slot }, position) =>
      slot !== undefined && equal(part, slot.part) ? [] : lostOf(part, role, `content[${position}]`),
    ),
  };
}

const noCalls = { nameOf: () => undefined, callOf: () => undefined };

/** Neighbouring parts of one item are sent in it. */
function draftsOf(placed: readonly Placed[]): Draft[] {
  const drafts: Draft[] = [];
  for (const one of placed) {
    const last = drafts.at(-1);
    const item = one.slot?.item;
    if (last !== undefined && item !== undefined && last.item === item) last.placed.push(one);
    else drafts.push({ item, placed: [one] });
  }
  return drafts;
}

/** The item for a draft; undefined if the API has no form for what it says. */
function itemOf(
  { item, placed }: Draft,
  items: readonly Fields[],
  slots: readonly Slot[],
  role: Message['role'],
): Fields | undefined {
  const old = item === undefined ? undefined : items[item];
  const whole = slots.filter((slot) => slot.item === item).length;
  if (old !== undefined && placed.length === whole && placed.every(isSame)) return old;
  if (old !== undefined && typeOf(old) === 'message') return { ...old, content: contentOf(placed, role) };
  const part = placed[0]?.part;
  if (part?.type === 'tool-call') return callItem(part, old);
  if (part === undefined || !isContent(part) || !hasForm(part.type, role)) return undefined;
  return messageOf([part], role);
}

function isSame({ part, slot }: Placed): boolean {
  return slot !== undefined && equal(part, slot.part);
}

/** Content in its old form: a string if it was one and is still a single text. */
function contentOf(placed: readonly Placed[], role: Message['role']): unknown {
  const [only] = placed;
  if (placed.length === 1 && only?.part.type === 'text' && typeof only.slot?.native === 'string')
    return only.part.text;
  return placed.flatMap((one) => {
    const native = one.slot?.native;
    if (isSame(one) && isFields(native)) return [native];
    const item = contentItem(one.part as ContentPart, role, native);
    return item === undefined ? [] : [item];
  });
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
