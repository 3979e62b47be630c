import { type Message, type Part, partsOf } from '@ctx/core';
import { carriedLosses, isFields, type NativeLoss } from '@ctx/core/codec';
import { itemOf, partOf } from './block-to-part.js';
import { isAnswer, originOf, placedParts } from './encode.js';
import { outputBlocks } from './part-to-block.js';

type Lost = Pick<NativeLoss, 'place' | 'what'>;

/** Lists everything in messages that LangChain has no form for and `fromMessages` leaves out. */
export function losses(messages: readonly Message[]): NativeLoss[] {
  return messages.flatMap((message, index) => [
    ...lostParts(message).map((lost) => ({ index, ...lost })),
    ...carriedLosses(message, index, 'langchain'),
  ]);
}

function lostParts(message: Message): Lost[] {
  const origin = originOf(message);
  const parts = partsOf(message);
  const each = parts.map((part) => {
    const own = origin !== undefined && part.type === 'tool-result' && isAnswer(origin, part);
    return part.type === 'tool-result'
      ? placedParts([part], 'tool', own ? origin : undefined).of[0]
      : undefined;
  });
  const placed = message.role === 'tool' ? each : placedParts(parts, message.role, origin).of;
  return placed.flatMap((one, position) => {
    const place = typeof message.content === 'string' ? 'content' : `content[${position}]`;
    if (one === undefined) return [];
    const { part, slot, native } = one;
    if (native === undefined) return [{ place, what: part.type }];
    if (native === slot?.native) return [];
    if (part.type === 'tool-result') return lostInResult(part, slot?.native, place);
    if (part.type === 'tool-call' || !isFields(native)) return [];
    return lostFields(part, partOf(native, message.role, place), place);
  });
}

/** What a part may say besides what it is made of. */
const extras = ['mediaType', 'filename', 'encrypted'] as const;

function lostFields(part: Part, again: Part, place: string): Lost[] {
  const [said, kept] = [part, again] as Partial<Record<(typeof extras)[number], unknown>>[];
  return extras.flatMap((what) =>
    said?.[what] === undefined || said[what] === kept?.[what] ? [] : [{ place: `${place}.${what}`, what }],
  );
}

function lostInResult(part: Extract<Part, { type: 'tool-result' }>, native: unknown, place: string): Lost[] {
  const { output } = part;
  if (typeof output === 'string' || output.type !== 'content') return [];
  const blocks = outputBlocks(output.value, native);
  return output.value.flatMap((item, index): Lost[] => {
    const at = `${place}.output.value[${index}]`;
    const block = blocks[index];
    return block === undefined ? [{ place: at, what: item.type }] : lostFields(item, itemOf(block, at), at);
  });
}
