import { equal } from '../base/equal.js';
import type { Message } from './message.js';

/** Where a message came from: its native message, and which pieces of it. */
interface NativeOrigin {
  readonly message: unknown;
  /** Positions in the native message; missing if the message came from all of it. */
  readonly pieces?: readonly number[] | undefined;
}

/**
 * Groups messages that belong into one native message: those that came from the same one, and consecutive results, for an API that wants
 * all results in one message. After a snapshot was restored the native message is no longer the same object, so it is compared by value.
 * @param originOf undefined for a message that another codec made
 */
export function nativeGroups(
  messages: readonly Message[],
  originOf: (message: Message) => NativeOrigin | undefined,
): Message[][] {
  const groups: Message[][] = [];
  for (const message of messages) {
    const group = groups.at(-1);
    if (group !== undefined && joins(message, group, originOf)) group.push(message);
    else groups.push([message]);
  }
  return groups;
}

function joins(
  message: Message,
  group: readonly Message[],
  originOf: (message: Message) => NativeOrigin | undefined,
): boolean {
  if (group.at(-1)?.role !== 'tool') return false;
  const origin = originOf(message);
  const others = group.map(originOf).filter((other) => other !== undefined);
  if (origin === undefined || others.length === 0) return message.role === 'tool';
  return others.every((other) => isRestOf(origin, other));
}

function isRestOf(origin: NativeOrigin, other: NativeOrigin): boolean {
  if (origin.pieces === undefined || other.pieces === undefined) return false;
  return (
    !origin.pieces.some((index) => other.pieces?.includes(index)) && equal(origin.message, other.message)
  );
}
