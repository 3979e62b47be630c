import { CtxError } from '../base/errors.js';
import { itemsPerStep, type Steps } from '../base/slices.js';
import type { MessageId } from '../transcript/message.js';

/** Objects of a message from which on it is asked whether one comes again: only then may it be a ring. */
const manyObjects = 1_000;

type Fields = Record<string, unknown>;

/**
 * Notices and undoes changes that a strategy makes to the messages it is shown, which are the caller's own objects. It
 * copies their structure but not their texts, and freezes nothing. Time and memory grow with the number of parts.
 */
export class MessageGuard {
  readonly #watched = new Set<unknown>();
  /** The objects and lists in messages, and at the same place of the other lists a copy of each and the id of its message. */
  readonly #objects: Fields[] = [];
  readonly #copies: Fields[] = [];
  readonly #ids: MessageId[] = [];
  /** Used again for each message, as a new list for each would keep the garbage collector busy. */
  readonly #waiting: unknown[] = [];

  /** Remembers messages as they are now. Those that are already watched keep their first state. */
  *watch(messages: readonly { readonly id: MessageId; readonly message: unknown }[]): Steps<void> {
    for (let at = 0; at < messages.length; at += 1) {
      if (at % itemsPerStep === 0) yield;
      const { id, message } = messages[at] as (typeof messages)[number];
      if (this.#watched.has(message)) continue;
      this.#watched.add(message);
      this.#copyObjectsOf(message, id);
    }
  }

  #copyObjectsOf(message: unknown, id: MessageId): void {
    const waiting = this.#waiting;
    waiting.push(message);
    let seen: Set<object> | undefined;
    let count = 0;
    while (waiting.length > 0) {
      const object = waiting.pop();
      if (!isPlain(object) || seen?.has(object)) continue;
      count += 1;
      if (count > manyObjects) seen = (seen ?? new Set()).add(object);
      this.#objects.push(object);
      this.#copies.push(copyOf(object));
      this.#ids.push(id);
      if (Array.isArray(object)) {
        for (const item of object) if (typeof item === 'object') waiting.push(item);
      } else
        for (const key in object) {
          const inner = object[key];
          if (typeof inner === 'object') waiting.push(inner);
        }
    }
  }

  /**
   * Restores whatever has changed since it was watched.
   * @throws CtxError `message-changed`
   */
  check(strategy: string): void {
    let first: readonly [message: MessageId, key: string] | undefined;
    let isWhole = true;
    const keys: string[] = [];
    for (let at = 0; at < this.#objects.length; at += 1) {
      const object = this.#objects[at] as Fields;
      const was = this.#copies[at] as Fields;
      const key = changedKey(object, was, keys);
      if (key === undefined) continue;
      first ??= [this.#ids[at] as MessageId, key];
      isWhole = restored(object, was) && isWhole;
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

/** A copy with the same values. */
function copyOf(object: Fields): Fields {
  if (Array.isArray(object)) return object.slice() as unknown as Fields;
  return Object.getPrototypeOf(object) === null ? Object.assign(Object.create(null), object) : { ...object };
}

/**
 * The first key whose value has changed, or that is new or gone; undefined if nothing changed. Of a list only its items count.
 * @param keys is overwritten
 */
function changedKey(object: Fields, was: Fields, keys: string[]): string | undefined {
  if (Array.isArray(was)) return changedItem(object as unknown as unknown[], was);
  let count = 0;
  for (const key in was) keys[count++] = key;
  let at = 0;
  for (const key in object) {
    if (at === count) return key;
    const before = keys[at++] as string;
    if (key !== before || !Object.is(object[key], was[key])) return before;
  }
  return at < count ? keys[at] : undefined;
}

function changedItem(list: readonly unknown[], was: readonly unknown[]): string | undefined {
  const length = Math.max(list.length, was.length);
  for (let at = 0; at < length; at += 1)
    if (at >= was.length || at >= list.length || !Object.is(list[at], was[at])) return String(at);
  return undefined;
}

/** Restores an object. False if that failed. */
function restored(object: Fields, was: Fields): boolean {
  try {
    for (const key of Object.keys(object)) delete object[key];
    for (const [key, value] of Object.entries(was))
      Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
    if (Array.isArray(was)) (object as unknown as unknown[]).length = was.length;
    return true;
  } catch {
    return false;
  }
}
