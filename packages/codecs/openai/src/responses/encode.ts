import { type Message, partsOf } from '@ctx/core';
import { carriedLosses, equal, type Fields, type NativeLoss } from '@ctx/core/codec';
import { built, type Sent } from './built.js';
import { callForm } from './call-forms.js';
import { edited } from './edited-items.js';
import { isCall, roleOf } from './item-kind.js';
import type { ResponseInputItem } from './items.js';
import { resultSent } from './result.js';
import { itemsOf } from './slots.js';

/** Items: the very same objects if nothing was edited, otherwise copies in which only the edited parts are replaced. */
export function fromMessages(messages: readonly Message[]): ResponseInputItem[] {
  return sentOf(messages).flatMap(({ items }) => items) as unknown as ResponseInputItem[];
}

/**
 * Lists everything in messages that the Responses API has no form for and `fromMessages` leaves out: parts, the mark that a tool failed,
 * and fields of another provider's form.
 */
export function losses(messages: readonly Message[]): NativeLoss[] {
  return sentOf(messages).flatMap(({ lost }, index) => [
    ...lost.map((one) => ({ index, ...one })),
    ...carriedLosses(messages[index] as Message, index, 'openai-responses'),
  ]);
}

/** What is sent for each message. Which kind of output answers a call depends on the call. */
function sentOf(messages: readonly Message[]): Sent[] {
  const calls = new Map<unknown, Fields>();
  return messages.map((message) => {
    const sent = sentFor(message, calls);
    for (const item of sent.items.filter(isCall)) calls.set(item[callForm(item)?.id ?? 'call_id'], item);
    return sent;
  });
}

function sentFor(message: Message, calls: ReadonlyMap<unknown, Fields>): Sent {
  const origin = originOf(message);
  if (message.role !== 'tool') {
    return origin === undefined ? built(message) : edited(partsOf(message), message.role, origin);
  }
  const results = message.content.map((part, position) =>
    resultSent(part, `content[${position}]`, origin?.[0], calls.get(part.toolCallId)),
  );
  return { items: results.flatMap(({ items }) => items), lost: results.flatMap(({ lost }) => lost) };
}

/** The items that a message came from; undefined if another codec made it or the role has changed since. */
function originOf({ native, role }: Message): readonly Fields[] | undefined {
  const items = itemsOf(native);
  return items?.[0] !== undefined && equal(roleOf(items[0], 'native.message[0]'), role) ? items : undefined;
}
