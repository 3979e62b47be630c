import type { Message, Part, ToolResultPart } from '@ctx/core';
import { carriedLosses, isFields, type NativeLoss } from '@ctx/core/codec';
import { originOf, placedParts } from './encode.js';
import type { Form } from './form.js';
import { nativeItems } from './native-output.js';
import { itemOf } from './output-of.js';
import { partOf } from './part-of.js';

type Lost = Pick<NativeLoss, 'place' | 'what'>;

/** Lists everything in messages that the SDK has no form for and `fromMessages` leaves out. */
export function losses(form: Form, messages: readonly Message[]): NativeLoss[] {
  return messages.flatMap((message, index) => [
    ...lostParts(form, message).map((lost) => ({ index, ...lost })),
    ...carriedLosses(message, index, form.name),
  ]);
}

function lostParts(form: Form, message: Message): Lost[] {
  const placed = placedParts(form, message, originOf(form, message)?.message);
  return placed.of.flatMap(({ part, slot, native }, position) => {
    const place = typeof message.content === 'string' ? 'content' : `content[${position}]`;
    if (native === undefined) return [{ place, what: part.type }];
    if (native === slot?.native || !isFields(native)) return [];
    if (part.type === 'tool-result') return lostInResult(form, part, slot?.native, place);
    return lostFields(part, partOf(native, message.role, everyCall, place), place);
  });
}

/** A call is read as a call, whoever runs it. */
const everyCall = { nameOf: () => undefined, isAnswered: () => true, approvedBy: () => undefined };

/** What a part may say besides what it is made of. */
const extras = ['mediaType', 'filename', 'encrypted'] as const;

function lostFields(part: Part, again: Part | undefined, place: string): Lost[] {
  const said = part as Partial<Record<(typeof extras)[number], unknown>>;
  const kept = again as typeof said | undefined;
  return extras.flatMap((what) =>
    said[what] === undefined || said[what] === kept?.[what] ? [] : [{ place: `${place}.${what}`, what }],
  );
}

function lostInResult(form: Form, part: ToolResultPart, native: unknown, place: string): Lost[] {
  const { output } = part;
  if (typeof output === 'string' || output.type !== 'content') return [];
  const old = isFields(native) && isFields(native.output) ? native.output : undefined;
  const items = nativeItems(form, output.value, old);
  const failed = part.isError === true ? [{ place: `${place}.isError`, what: 'isError' }] : [];
  const lost = output.value.flatMap((item, index): Lost[] => {
    const at = `${place}.output.value[${index}]`;
    const one = items[index];
    return one === undefined ? [{ place: at, what: item.type }] : lostFields(item, itemOf(one, at), at);
  });
  return [...failed, ...lost];
}
