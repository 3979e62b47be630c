import { type Fields, isFields, SlotCodec } from '@ctx/core/codec';
import { lostMediaType } from '../media.js';
import { built, isContent } from './built.js';
import { callItem } from './call-forms.js';
import { contentItem } from './content.js';
import { edited } from './edited-items.js';
import { roleOf } from './item-kind.js';
import { type Named, named, ownSlots } from './named-calls.js';
import { type ItemSlot, itemsOf, slotsOf } from './slots.js';

/** What the items of the Responses API are like. Results are written elsewhere, as their form depends on the call. */
export const responses: SlotCodec<ItemSlot, readonly Fields[]> = new SlotCodec({
  name: 'openai-responses',
  readAgain: ({ role, native }, { ids }) => {
    const items = itemsOf(native);
    if (items?.[0] === undefined || roleOf(items[0], 'native.message[0]') !== role) return undefined;
    const one = named(items, () => ids as Named['ids']);
    const slots = slotsOf(one.items, noCalls, (index) => `native.message[${index}]`);
    return { native: items, slots: ownSlots(slots, one, items) };
  },
  nativeOf: (part, role, slot) => {
    const old = isFields(slot?.native) ? slot.native : undefined;
    if (part.type === 'tool-call') return { native: callItem(part, old) };
    const native = isContent(part) ? contentItem(part, role, old) : undefined;
    return native && { native };
  },
  written: (draft) => (draft.before === undefined ? built(draft.message) : edited(draft, draft.before)),
  lostIn: lostMediaType,
});

const noCalls = { nameOf: () => undefined, callOf: () => undefined };
