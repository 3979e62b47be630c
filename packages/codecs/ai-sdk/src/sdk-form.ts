import { partsOf, withoutBytes } from '@ctx/core';
import { type Draft, type Fields, isFields, type Slot, SlotCodec } from '@ctx/core/codec';
import type { Form } from './form.js';
import { type Named, named, ownSlots } from './named-calls.js';
import { nativeItems } from './native-output.js';
import { nativePart } from './native-part.js';
import { itemOf } from './output-of.js';
import { partOf } from './part-of.js';
import { revived } from './revival.js';
import { callsIn, roleOf, slotsOf } from './slots.js';

/** A native message, and those around it that say nothing themselves. */
interface Kept {
  readonly native: Fields;
  readonly slots: readonly Slot[];
  readonly before: readonly unknown[];
  /** At the end of a conversation. */
  readonly behind: readonly unknown[];
}

export type SdkForm = SlotCodec<Slot, Fields, Kept>;

/** The messages of the SDK, in one of its forms. */
export function sdkForm(form: Form): SdkForm {
  return new SlotCodec({
    name: form.name,
    readAgain: (message, { message: own, stored, ids, before = [], behind = [] }) => {
      const native = (isFields(stored) ? revived(form, stored) : own) as Fields;
      if (roleOf(native, 'native.message') !== message.role) return undefined;
      const one = named(native, () => ids as Named['ids']);
      const read = slotsOf(one.message, callsIn(partsOf(message)), 'native.message');
      const slots = ownSlots(read, one, native);
      return { native, slots, before: before as unknown[], behind: behind as unknown[] };
    },
    nativeOf: (part, role, slot) => {
      const native = nativePart(form, part, role, slot);
      return native === undefined ? undefined : { native };
    },
    written: (draft) => (draft.before === undefined ? built(form, draft) : edited(draft, draft.before)),
    lostIn: (part) => {
      if (part.type !== 'tool-result' || part.isError !== true || typeof part.output === 'string') return [];
      return part.output.type === 'content' ? [{ place: 'isError', what: 'isError' }] : [];
    },
    readBack: (native, role) => {
      if (!isFields(native)) return undefined;
      return role === 'tool' ? itemOf(native, 'content') : partOf(native, role, everyCall, 'content');
    },
    itemsOf: (items, slot) => {
      const old = isFields(slot?.native) ? slot.native.output : undefined;
      return nativeItems(form, items, isFields(old) ? old : undefined);
    },
    // JSON has no URL objects: a value restored from JSON differs from the original, and is marked as such.
    stored: ({ message, ...others }) => withoutBytes({ ...others, stored: message }),
  });
}

function edited({ kept }: Draft<Slot, Fields, Kept>, { native, slots }: Kept): Fields {
  const at = (slot: Slot | undefined) =>
    kept.filter((one) => one.slot === slot).map(({ spot }) => spot?.native);
  const old = slots.flatMap((slot) => (slot.part === undefined ? [slot.native] : at(slot)));
  return { ...native, content: joined(native.content, [...old, ...at(undefined)]) };
}

/** Content in its old form: a text if it was one and is still a single text. */
function joined(before: unknown, values: readonly unknown[]): unknown {
  const [only] = values;
  if (values.length === 1 && typeof only === 'string') return only;
  if (values.length === 1 && !Array.isArray(before) && isFields(only) && isPlainText(only)) return only.text;
  return values.map((value) => (typeof value === 'string' ? { type: 'text', text: value } : value));
}

function isPlainText(part: Fields): boolean {
  return part.type === 'text' && Object.keys(part).length === 2;
}

function built(form: Form, { message, kept }: Draft<Slot, Fields, Kept>): Fields | undefined {
  const parts = kept.map(({ spot }) => spot?.native);
  if (parts.length === 0) return undefined;
  const { role, content } = message;
  if (role === 'system') return { role, content: textsOf(parts).join('\n') };
  const isText = form.isTextContent && typeof content === 'string';
  return { role, content: isText ? textsOf(parts)[0] : parts };
}

function textsOf(parts: readonly unknown[]): string[] {
  return parts.map((part) => (isFields(part) ? String(part.text) : String(part)));
}

/** A call is read as a call, whoever runs it. */
const everyCall = { nameOf: () => undefined, isAnswered: () => true, approvedBy: () => undefined };
