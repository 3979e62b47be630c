import type { Fields } from '@ctx/core/codec';
import { isAlone, isCall, roleOf, typeOf } from './item-kind.js';

/** Neighbouring items that are one message, and the position of the first. */
export interface Group {
  readonly start: number;
  readonly items: readonly Fields[];
}

/**
 * Divides items into messages. Everything but the assistant's items is a message by itself. The assistant's items are one message where
 * they may not be parted: the API refuses an item without the reasoning that led to it, and reasoning without what it led to. Calls that
 * are made together are one message, because all of their outputs come after all of them.
 */
export function grouped(items: readonly Fields[], placeOf: (index: number) => string): Group[] {
  const groups: { start: number; items: Fields[] }[] = [];
  let open: Fields[] | undefined;
  items.forEach((item, index) => {
    const isSpoken = roleOf(item, placeOf(index)) === 'assistant';
    if (isSpoken && open !== undefined && joins(item, open)) {
      open.push(item);
      return;
    }
    const group = { start: index, items: [item] };
    groups.push(group);
    open = isSpoken ? group.items : undefined;
  });
  return groups;
}

/** True where an item belongs to the message that the items before it are. */
function joins(item: Fields, group: readonly Fields[]): boolean {
  if (group.some(isCall) || group.at(-1)?.type === 'reasoning') return true;
  if (isAlone(item) || group.some(isAlone)) return false;
  if (item.type === 'reasoning') return !group.some(isMessage);
  return !isMessage(item) || !group.every(isMessage);
}

function isMessage(item: Fields): boolean {
  return typeOf(item) === 'message';
}
