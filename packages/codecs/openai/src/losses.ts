import { isErrorResult, type Message, type Part, partsOf } from '@ctx/core';
import { carriedLosses, type NativeLoss } from '@ctx/core/codec';
import type { Slot } from './carried.js';
import { isAnswer, originOf, placedAs, slotsFor } from './encode.js';
import { lostMediaType } from './media.js';
import { outputItems } from './output-content.js';

/**
 * Lists everything in messages that Chat Completions has no form for and `fromMessages` leaves out: parts, the mark that a tool failed,
 * and fields of another provider's form.
 */
export function losses(messages: readonly Message[]): NativeLoss[] {
  return messages.flatMap((message, index) => [
    ...lostParts(message, index),
    ...carriedLosses(message, index, 'openai'),
  ]);
}

function lostParts(message: Message, index: number): NativeLoss[] {
  const parts = partsOf(message);
  const native = originOf(message);
  const slots = native === undefined ? [] : slotsFor(parts, native).of;
  return parts.flatMap((part, position) => {
    const at = typeof message.content === 'string' ? 'content' : `content[${position}]`;
    const own = part.type !== 'tool-result' || (native !== undefined && isAnswer(native, part));
    const slot = own ? slots[position] : undefined;
    const [placed] = placedAs(part, message.role, slot);
    if (placed === undefined) return [{ index, place: at, what: part.type }];
    if (placed === slot) return [];
    return [...lostMediaType(part), ...lostInResult(part, slot)].map(({ place, what }) => ({
      index,
      place: `${at}.${place}`,
      what,
    }));
  });
}

function lostInResult(part: Part, slot: Slot | undefined): Pick<NativeLoss, 'place' | 'what'>[] {
  if (part.type !== 'tool-result') return [];
  const { output } = part;
  const failed = isErrorResult(part)
    ? [{ place: part.isError ? 'isError' : 'output.type', what: 'isError' }]
    : [];
  if (typeof output === 'string' || output.type !== 'content') return failed;
  const items = outputItems(output.value, slot).flatMap((item, index) =>
    item === undefined ? [{ place: `output.value[${index}]`, what: output.value[index]?.type ?? '' }] : [],
  );
  return [...failed, ...items];
}
