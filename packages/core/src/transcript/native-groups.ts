import { equal } from '../base/equal.js';
import type { Message } from './message.js';

/** A message, and where it came from; `before` is missing if another codec made it. */
interface Read {
  readonly message: Message;
  readonly before: Origin | undefined;
}

interface Origin {
  readonly native: unknown;
  /** Positions in the native message; missing if the message came from all of it. */
  readonly pieces?: readonly number[] | undefined;
}

/**
 * Groups messages that belong into one native message: those that came from the same one, and consecutive results, for an API that wants
 * all results in one message. After a snapshot was restored the native message is no longer the same object, so it is compared by value.
 */
export function nativeGroups<R extends Read>(reads: readonly R[]): R[][] {
  const groups: R[][] = [];
  for (const read of reads) {
    const group = groups.at(-1);
    if (group !== undefined && joins(read, group)) group.push(read);
    else groups.push([read]);
  }
  return groups;
}

function joins({ message, before }: Read, group: readonly Read[]): boolean {
  if (group.at(-1)?.message.role !== 'tool') return false;
  const others = group.map((one) => one.before).filter((other) => other !== undefined);
  if (before === undefined || others.length === 0) return message.role === 'tool';
  return others.every((other) => isRestOf(before, other));
}

function isRestOf(origin: Origin, other: Origin): boolean {
  if (origin.pieces === undefined || other.pieces === undefined) return false;
  return !origin.pieces.some((index) => other.pieces?.includes(index)) && equal(origin.native, other.native);
}
