import type { Message, Part } from '@ctx/core';
import { type Draft, type Fields, isFields, type Slot, SlotCodec } from '@ctx/core/codec';
import type { GoogleContent } from './content.js';
import type { Native, Origin } from './origin.js';
import { mediaOf, nativeOf } from './part-to-native.js';
import { partsIn, roleOf, slotsOf } from './slots.js';
import { systemOf } from './system.js';

const place = 'native.message';

/** A content or a system instruction, and where it stood. */
interface Stood {
  readonly native: Native;
  readonly slots: readonly Slot[];
  readonly pieces?: readonly number[] | undefined;
  readonly whole?: number | undefined;
  /** All parts of the native object. */
  readonly natives: readonly unknown[];
  /** True if the content before it was the model's too. */
  readonly continues: boolean;
}

/** What the contents of Gemini's API are like. */
export const google = new SlotCodec<Slot, Native, Stood>({
  name: 'google',
  results: 'together',
  readAgain: ({ role }, fields) => {
    const origin = originOf(fields);
    if (origin === undefined || !isSameRole(origin, role)) return undefined;
    const { message: native, parts: pieces, continues = false } = origin;
    const natives = partsIn(origin, place);
    return {
      native,
      slots: slotsOf(origin, role, place),
      pieces,
      whole: pieces && natives.length,
      natives,
      continues,
    };
  },
  nativeOf: (part, role, slot) => {
    const native = nativeOf(part, role, slot?.native);
    return native === undefined ? undefined : { native };
  },
  written: ({ message: first, before, kept }) => {
    const natives = nativesIn({ kept });
    const isSilent = natives.length === 0;
    if (isSilent && first.role !== 'user') return undefined;
    if (first.role === 'system') return systemOf(natives, before?.native);
    const role = first.role === 'assistant' ? 'model' : 'user';
    return {
      ...((before?.native as GoogleContent | undefined) ?? { role }),
      parts: isSilent ? [unshown] : natives,
    } as GoogleContent;
  },
  lostIn: lostMediaType,
  itemsOf,
  isFirst: ({ role }) => role === 'system',
});

/** Placeholder for a user message of which no part has a form here: contents begin with the user's, and calls follow one. */
const unshown = { text: '[A message that cannot be shown here]' };

/** The native parts that are sent. */
export function nativesIn({ kept }: Pick<Draft<Slot, Native>, 'kept'>): unknown[] {
  return kept.map(({ spot }) => spot?.native);
}

/** What a message keeps, if it has the right form. */
function originOf(native: Fields): Origin | undefined {
  if (native.message === undefined) return undefined;
  if (native.parts !== undefined && !isListOf(native.parts, (index) => Number.isInteger(index)))
    return undefined;
  if (native.ids !== undefined && !isListOf(native.ids, (id) => typeof id === 'string')) return undefined;
  return native as unknown as Origin;
}

function isSameRole({ message, system }: Origin, role: Message['role']): boolean {
  if (role === 'system' || system === true) return role === 'system' && system === true;
  return roleOf(message, place) === (role === 'assistant' ? role : 'user');
}

function isListOf(value: unknown, is: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(is);
}

/** The texts of an output are in its response. */
function itemsOf(items: Parameters<typeof mediaOf>[0], slot: Slot | undefined): unknown[] {
  const old =
    isFields(slot?.native) && isFields(slot.native.functionResponse) ? slot.native.functionResponse : {};
  const media = mediaOf(items, old.parts);
  return items.map(({ type }) => (type === 'text' ? type : media.shift()));
}

/** A data URL contains its type. */
function lostMediaType(part: Part, native: unknown) {
  if ((part.type !== 'image' && part.type !== 'file') || !isFields(native)) return [];
  const source = isFields(native.inlineData) ? native.inlineData : native.fileData;
  const said = isFields(source) ? source.mimeType : undefined;
  const isLost = part.mediaType !== undefined && part.mediaType !== said;
  return isLost ? [{ place: 'mediaType', what: 'mediaType' }] : [];
}
