import { type Message, type Part, partsOf } from '@ctx/core';
import { carriedLosses, isFields, type NativeLoss } from '@ctx/core/codec';
import { placedParts } from './encode.js';
import { mediaOf } from './part-to-native.js';

type Lost = Pick<NativeLoss, 'place' | 'what'>;

/**
 * Lists everything in messages that Gemini's API has no form for and `fromMessages` leaves out: parts, fields of another provider's form,
 * and the position of a system message after other messages.
 */
export function losses(messages: readonly Message[]): NativeLoss[] {
  const start = messages.findIndex(({ role }) => role !== 'system');
  return messages.flatMap((message, index) => {
    const moved = message.role === 'system' && start >= 0 && index > start;
    return [
      ...lostParts(message).map((lost) => ({ index, ...lost })),
      ...(moved ? [{ index, place: 'content', what: 'position' }] : []),
      ...carriedLosses(message, index, 'google'),
    ];
  });
}

function lostParts(message: Message): Lost[] {
  const placed = placedParts(message);
  return partsOf(message).flatMap((part, position) => {
    const place = typeof message.content === 'string' ? 'content' : `content[${position}]`;
    const one = placed[position];
    if (one === undefined) return [];
    const { native, old } = one;
    if (native === undefined) return [{ place, what: part.type }];
    if (native === old) return [];
    return [...lostMediaType(part, native), ...lostMedia(part, old)].map((lost) => ({
      place: `${place}.${lost.place}`,
      what: lost.what,
    }));
  });
}

function lostMedia(part: Part, old: unknown): Lost[] {
  if (part.type !== 'tool-result' || typeof part.output === 'string' || part.output.type !== 'content')
    return [];
  const before = isFields(old) && isFields(old.functionResponse) ? old.functionResponse.parts : undefined;
  const natives = mediaOf(part, before);
  let media = 0;
  return part.output.value.flatMap((one, index) => {
    if (one.type === 'text') return [];
    const native = natives[media];
    media += 1;
    const at = `output.value[${index}]`;
    if (native === undefined) return [{ place: at, what: one.type }];
    return lostMediaType(one, native).map(({ place, what }) => ({ place: `${at}.${place}`, what }));
  });
}

/** A data URL says its own type. */
function lostMediaType(part: Part, native: unknown): Lost[] {
  if ((part.type !== 'image' && part.type !== 'file') || !isFields(native)) return [];
  const source = isFields(native.inlineData) ? native.inlineData : native.fileData;
  const said = isFields(source) ? source.mimeType : undefined;
  const isLost = part.mediaType !== undefined && part.mediaType !== said;
  return isLost ? [{ place: 'mediaType', what: 'mediaType' }] : [];
}
