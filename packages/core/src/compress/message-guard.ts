import { CtxError } from '../base/errors.js';
import { itemsPerStep, type Steps } from '../base/slices.js';
import type { MessageId } from '../transcript/message.js';

/**
 * A message as it was: its id, then each object and list in it, followed by the number of its keys, and each key with its
 * value. Values are compared by identity. In one list for each message, this needs a third of the memory of an object for
 * each part.
 */
type Copy = readonly unknown[];

type Fields = Record<string, unknown>;

/**
 * Notices and undoes changes that a strategy makes to the messages it is shown, which are the caller's own objects. It
 * copies their structure but not their texts, and freezes nothing. Time and memory grow with the number of parts.
 */
export class MessageGuard {
  readonly #watched = new Set<object>();
  readonly #copies: Copy[] = [];

  /** Remembers messages as they are now. Objects that are already watched keep their first state. */
  *watch(messages: readonly { readonly id: MessageId; readonly message: unknown }[]): Steps<void> {
    let at = 0;
    for (const { id, message } of messages) {
      if (at++ % itemsPerStep === 0) yield;
      this.#watchOne(id, message);
    }
  }

  #watchOne(message: MessageId, value: unknown): void {
    const waiting = [value];
    const was: unknown[] = [message];
    while (waiting.length > 0) {
      const object = waiting.pop();
      if (!isPlain(object) || this.#watched.has(object)) continue;
      this.#watched.add(object);
      const keys = Object.keys(object);
      was.push(object, keys.length);
      for (const key of keys) {
        const inner = object[key];
        was.push(key, inner);
        waiting.push(inner);
      }
    }
    // A copy of a list has no room to grow.
    if (was.length > 1) this.#copies.push(was.slice());
  }

  /**
   * Restores whatever has changed since it was watched.
   * @throws CtxError `message-changed`
   */
  check(strategy: string): void {
    let first: readonly [message: unknown, key: string] | undefined;
    let isWhole = true;
    for (const was of this.#copies) {
      for (let at = 1; at < was.length; at += 2 + 2 * (was[at + 1] as number)) {
        const key = changedKey(was, at);
        if (key === undefined) continue;
        first ??= [was[0], key];
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

/** True for objects and lists as in JSON. Anything else that a codec carries is left alone. */
function isPlain(value: unknown): value is Fields {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** The first key whose value has changed, or that is new or gone; undefined if nothing changed. */
function changedKey(was: Copy, at: number): string | undefined {
  const object = was[at] as Fields;
  const count = was[at + 1] as number;
  const now = Object.keys(object);
  for (let one = 0; one < count; one += 1) {
    const key = was[at + 2 + 2 * one] as string;
    if (now[one] !== key || !Object.is(object[key], was[at + 3 + 2 * one])) return key;
  }
  return now[count];
}

/** Restores an object. False if that failed. */
function restored(was: Copy, at: number): boolean {
  const object = was[at] as Fields;
  const count = was[at + 1] as number;
  try {
    for (const key of Object.keys(object)) delete object[key];
    for (let one = at + 2; one < at + 2 + 2 * count; one += 2) {
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
