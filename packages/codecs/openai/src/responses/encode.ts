import type { Message } from '@ctx/core';
import type { Fields, NativeLoss } from '@ctx/core/codec';
import { callForm } from './call-forms.js';
import { isCall } from './item-kind.js';
import type { ResponseInputItem } from './items.js';
import { responses } from './responses-form.js';
import { resultSent } from './result.js';
import { itemsOf } from './slots.js';

/** Items: the very same objects if nothing was edited, otherwise copies in which only the edited parts are replaced. */
export function fromMessages(messages: readonly Message[]): ResponseInputItem[] {
  return sentOf(messages).flatMap(({ items }) => items) as unknown as ResponseInputItem[];
}

/**
 * Lists everything in messages that the Responses API has no form for and `fromMessages` drops: parts and the mark that a tool failed.
 */
export function losses(messages: readonly Message[]): NativeLoss[] {
  return sentOf(messages).flatMap(({ lost }, index) =>
    lost().map(({ place, what }) => ({ index, place, what })),
  );
}

/** The items for a message, and what is not in them. */
interface Sent {
  readonly items: readonly Fields[];
  lost(): readonly Omit<NativeLoss, 'index'>[];
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
  if (message.role !== 'tool')
    return {
      items: responses.nativeOf(responses.draft(message)) ?? [],
      lost: () => responses.losses([message]),
    };
  const old = itemsOf(message.native)?.[0];
  const results = message.content.map((part, position) =>
    resultSent(part, `content[${position}]`, old, calls.get(part.toolCallId)),
  );
  return {
    items: results.flatMap(({ items }) => items),
    lost: () => results.flatMap(({ lost }) => lost),
  };
}
