import { type CallIds, type Fields, isFields } from '@ctx/core/codec';
import { listOf, typeOf } from './native-message.js';
import { changedCopy } from './new-message.js';
import type { LangChainSlot } from './slots.js';

/** A message in which each call and result has an id by which they find each other. */
export interface Named {
  /** The very message if its own ids will do. */
  readonly message: unknown;
  /** Those that its calls or its result got, in order. */
  readonly ids?: readonly string[] | undefined;
}

/** @param idsFor gives the calls or the result of a message their ids, where its own won't do */
export function named(message: unknown, idsFor: CallIds['idsFor']): Named {
  if (!isFields(message)) return { message };
  if (typeOf(message) === 'tool') {
    const ids = idsFor('tool', [message.tool_call_id]);
    return ids === undefined ? { message } : { message: changedCopy(message, { tool_call_id: ids[0] }), ids };
  }
  const calls = typeOf(message) === 'ai' ? listOf(message, 'tool_calls') : [];
  const ids = idsFor(
    'assistant',
    calls.map((call) => (isFields(call) ? call.id : undefined)),
  );
  if (ids === undefined) return { message };
  const tool_calls = calls.map((call, at) => ({ ...(call as Fields), id: ids[at] }));
  return { message: changedCopy(message, { tool_calls }), ids };
}

/** The slots of a named message, with the values that the message itself has. */
export function ownSlots(
  slots: readonly LangChainSlot[],
  { ids }: Named,
  own: Fields,
): readonly LangChainSlot[] {
  if (ids === undefined) return slots;
  const calls = listOf(own, 'tool_calls');
  let at = 0;
  return slots.map((slot) => (slot.field === 'tool_calls' ? { ...slot, native: calls[at++] } : slot));
}
