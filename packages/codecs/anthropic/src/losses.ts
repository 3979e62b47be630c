import { type Message, type Part, partsOf } from '@ctx/core';
import { carriedLosses, isFields, type NativeLoss } from '@ctx/core/codec';
import { blocksOf } from './decode.js';
import { isSystemPrompt, originOf, placedBlocks } from './encode.js';
import { outputBlocks } from './part-to-block.js';

/**
 * Lists everything in messages that the Messages API has no form for and `fromMessages` leaves out: parts, fields of another provider's
 * form, and the position of a system message after other messages.
 */
export function losses(messages: readonly Message[]): NativeLoss[] {
  const start = messages.findIndex(({ role }) => role !== 'system');
  return messages.flatMap((message, index) => {
    const moved = isSystemPrompt(message) && start >= 0 && index > start;
    return [
      ...lostParts(message, index),
      ...(moved ? [{ index, place: 'content', what: 'position' }] : []),
      ...carriedLosses(message, index, 'anthropic'),
    ];
  });
}

function lostParts(message: Message, index: number): NativeLoss[] {
  const native = originOf(message)?.message;
  const placed = placedBlocks(message, native === undefined ? [] : blocksOf(native, 'native.message'));
  return partsOf(message).flatMap((part, position) => {
    const place = typeof message.content === 'string' ? 'content' : `content[${position}]`;
    const one = placed[position];
    if (one === undefined) return [];
    const { block, old } = one;
    if (block === undefined) return [{ index, place, what: part.type }];
    if (block === old) return [];
    return [...lostMediaType(part, block), ...lostOutputs(part, old)].map((lost) => ({
      index,
      place: `${place}.${lost.place}`,
      what: lost.what,
    }));
  });
}

function lostOutputs(part: Part, old: unknown): Pick<NativeLoss, 'place' | 'what'>[] {
  if (part.type !== 'tool-result' || typeof part.output === 'string' || part.output.type !== 'content')
    return [];
  const { value } = part.output;
  return outputBlocks(value, isFields(old) ? old.content : undefined).flatMap((block, index) =>
    lostOutput(value[index], block).map(({ place, what }) => ({
      place: `output.value[${index}]${place}`,
      what,
    })),
  );
}

function lostOutput(part: Part | undefined, block: unknown) {
  if (block === undefined) return [{ place: '', what: part?.type ?? '' }];
  return lostMediaType(part, block).map(({ place, what }) => ({ place: `.${place}`, what }));
}

/** Only data says its type, and a document given by a URL is a PDF. */
function lostMediaType(part: Part | undefined, block: unknown) {
  if (part?.type !== 'image' && part?.type !== 'file') return [];
  const { mediaType } = part;
  const source = isFields(block) && isFields(block.source) ? block.source : {};
  const said = source.media_type ?? (part.type === 'file' ? 'application/pdf' : undefined);
  return mediaType === undefined || mediaType === said ? [] : [{ place: 'mediaType', what: 'mediaType' }];
}
