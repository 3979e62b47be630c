import type { Message } from '@ctx/core';
import {
  CallIds,
  CallNames,
  type DecodeContext,
  type Fields,
  fieldsOf,
  nativeInvalid,
} from '@ctx/core/codec';
import { type Group, grouped } from './item-groups.js';
import { isCompaction, isPinned, roleOf } from './item-kind.js';
import { named, ownSlots } from './named-calls.js';
import { responses } from './responses-form.js';
import { type Calls, itemsOf, slotsOf } from './slots.js';

/**
 * Messages for the `input` of a request: a text, or a list of items.
 * @throws ValidationError `native-invalid` with the place that is not understood
 */
export function toMessages(input: string | readonly object[], { after }: DecodeContext = {}): Message[] {
  const items = inputItems(input);
  const calls = new KnownCalls(after);
  const ids = new CallIds(after);
  return grouped(items, placeOf(0)).map((group) => {
    const message = decode(group, calls, ids);
    calls.learn(message, group.items);
    return message;
  });
}

/** The items of an input: a text is one message of the user. */
export function inputItems(input: string | readonly object[]): Fields[] {
  if (typeof input === 'string') return [{ role: 'user', content: input }];
  if (!Array.isArray(input))
    throw nativeInvalid('A text or a list was expected', 'input', input, 'Give the `input` of a request.');
  return input.map((item, index) => fieldsOf(item, `input[${index}]`, 'An item is an object { type, … }.'));
}

export function placeOf(start: number): (index: number) => string {
  return (index) => `input[${start + index}]`;
}

function decode({ items, start }: Group, calls: Calls, callIds: CallIds): Message {
  const one = named(items, (role, own) => callIds.idsFor(role, own));
  const slots = ownSlots(slotsOf(one.items, calls, placeOf(start)), one, items);
  const { ids } = one;
  const role = roleOf(items[0] as Fields, `input[${start}]`);
  const origin = { message: items, ...(ids !== undefined && { ids }) };
  return responses.message(role, slots, origin, {
    ...(items.some(isPinned) && { pinned: true }),
    ...(items.some(isCompaction) && { summary: true }),
  });
}

/** The calls so far, the newest first where an id is used again. */
class KnownCalls extends CallNames implements Calls {
  readonly #callOf = new Map<string, string>();

  learn(message: Message, items: readonly Fields[]): void {
    this.see(message);
    for (const [itemId, callId] of shellCalls(items)) this.#callOf.set(itemId, callId);
  }

  callOf(itemId: string): string | undefined {
    const known = this.#callOf.get(itemId);
    if (known !== undefined) return known;
    const before = this.after.flatMap(({ native }) => shellCalls(itemsOf(native) ?? []));
    return before.findLast(([id]) => id === itemId)?.[1];
  }
}

/** Only the output of a local shell may name its call by the id of the call's item. */
function shellCalls(items: readonly Fields[]): [itemId: string, callId: string][] {
  return items.flatMap(({ type, id, call_id: callId }) =>
    type === 'local_shell_call' && typeof id === 'string' && typeof callId === 'string'
      ? [[id, callId] as [string, string]]
      : [],
  );
}
