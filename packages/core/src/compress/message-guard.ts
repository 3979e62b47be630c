import { CtxError } from '../base/errors.js';
import { itemsPerStep, type Steps } from '../base/slices.js';
import type { MessageId } from '../transcript/message.js';

/**
 * Some messages as they were: for each object and list in them the id of the message, the object itself, the number of its keys,
 * and each key with its value. Values are compared by identity. One list for many objects needs a third of the memory of
 * an object for each, and less time.
 */
type Copy = readonly unknown[];

/** What is before the keys of an object. */
const headLength = 3;
/** Objects of a message from which on it is asked whether one comes again: only then may it be a ring. */
const manyObjects = 1_000;

type Fields = Record<string, unknown>;

/**
 * Notices and undoes changes that a strategy makes to the messages it is shown, which are the caller's own objects. It
 * copies their structure but not their texts, and freezes nothing. Time and memory grow with the number of parts.
 */
export class MessageGuard {
  readonly #watched = new Set<unknown>();
  readonly #copies: Copy[] = [];

  /** Remembers messages as they are now. Those that are already watched keep their first state. */
  *watch(messages: readonly { readonly id: MessageId; readonly message: unknown }[]): Steps<void> {
    for (let at = 0; at < messages.length; at += itemsPerStep) {
      yield;
      const was: unknown[] = [];
      for (const { id, message } of messages.slice(at, at + itemsPerStep)) {
        if (this.#watched.has(message)) continue;
        this.#watched.add(message);
        addObjectsOf(message, id, was);
      }
      // A copy of a list has no room to grow.
      if (was.length > 0) this.#copies.push(was.slice());
    }
  }

  /**
   * Restores whatever has changed since it was watched.
   * @throws CtxError `message-changed`
   */
  check(strategy: string): void {
    let first: readonly [message: unknown, key: string] | undefined;
    let isWhole = true;
    for (const was of this.#copies) {
      for (let at = 0; at < was.length; at += headLength + 2 * (was[at + 2] as number)) {
        const key = changedKey(was, at);
        if (key === undefined) continue;
        first ??= [was[at], key];
        isWhole = restored(was, at) && isWhole;
      }
    }
    if (first === undefined) return;
    throw new CtxError({
      code: 'message-changed',
      problem: `Strategy "${strategy}" changed a message that it was given${isWhole ? '; the message was put back' : ', and it could not be put back'}`,
      place: `message "${first[0]}"`,
      value: first[1],
      remedy:
        'Return edits. If the strategy needs a changed message for itself, change a copy: structuredClone(message).',
    });
  }
}

/** Adds the objects and lists in a value to a copy. */
function addObjectsOf(value: unknown, message: MessageId, copy: unknown[]): void {
  const waiting = [value];
  let seen: Set<object> | undefined;
  let count = 0;
  while (waiting.length > 0) {
    const object = waiting.pop();
    if (!isPlain(object) || seen?.has(object)) continue;
    count += 1;
    if (count > manyObjects) seen = (seen ?? new Set()).add(object);
    const keys = Object.keys(object);
    copy.push(message, object, keys.length);
    for (const key of keys) {
      const inner = object[key];
      copy.push(key, inner);
      if (typeof inner === 'object') waiting.push(inner);
    }
  }
}

/** True for objects and lists as in JSON. Anything else that a codec carries is left alone. */
function isPlain(value: unknown): value is Fields {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** The first key whose value has changed, or that is new or gone; undefined if nothing changed. */
function changedKey(was: Copy, at: number): string | undefined {
  const object = was[at + 1] as Fields;
  const count = was[at + 2] as number;
  const now = Object.keys(object);
  for (let one = 0; one < count; one += 1) {
    const place = at + headLength + 2 * one;
    const key = was[place] as string;
    if (now[one] !== key || !Object.is(object[key], was[place + 1])) return key;
  }
  return now[count];
}

/** Restores an object. False if that failed. */
function restored(was: Copy, at: number): boolean {
  const object = was[at + 1] as Fields;
  const count = was[at + 2] as number;
  const start = at + headLength;
  try {
    for (const key of Object.keys(object)) delete object[key];
    for (let one = start; one < start + 2 * count; one += 2) {
      const value = was[one + 1];
      Object.defineProperty(object, was[one] as string, {
        value,
        writable: true,
        enumerable: true,
        configurable: true,
      });
    }
    if (Array.isArray(object)) object.length = count;
    return true;
  } catch {
    return false;
  }
}
