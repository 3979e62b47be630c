import { CtxError } from '../base/errors.js';
import { itemsPerStep, type Steps } from '../base/slices.js';
import type { MessageId } from '../transcript/message.js';

/** An object or list inside a message, as it was: its keys and values. Values are compared by identity. */
interface Copy {
  readonly message: MessageId;
  readonly keys: readonly string[];
  readonly values: readonly unknown[];
}

type Fields = Record<string, unknown>;

/**
 * Notices and undoes changes that a strategy makes to the messages it is shown, which are the caller's own objects. It
 * copies their structure but not their texts, and freezes nothing. Time and memory grow with the number of parts.
 */
export class MessageGuard {
  readonly #copies = new Map<object, Copy>();

  /** Remembers messages as they are now. Objects that are already watched keep their first state. */
  *watch(messages: readonly { readonly id: MessageId; readonly message: unknown }[]): Steps<void> {
    for (const [at, { id, message }] of messages.entries()) {
      if (at % itemsPerStep === 0) yield;
      this.#watchOne(id, message);
    }
  }

  #watchOne(message: MessageId, value: unknown): void {
    if (!isPlain(value) || this.#copies.has(value)) return;
    const waiting: Fields[] = [value];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const object = next;
      const keys = Object.keys(object);
      const values = keys.map((key) => object[key]);
      this.#copies.set(object, { message, keys, values });
      for (const inner of values) if (isPlain(inner) && !this.#copies.has(inner)) waiting.push(inner);
    }
  }

  /**
   * Restores whatever has changed since it was watched.
   * @throws CtxError `message-changed`
   */
  check(strategy: string): void {
    let first: { readonly message: MessageId; readonly key: string } | undefined;
    let isWhole = true;
    for (const [object, copy] of this.#copies) {
      const key = changedKey(object as Fields, copy);
      if (key === undefined) continue;
      first ??= { message: copy.message, key };
      isWhole = restored(object as Fields, copy) && isWhole;
    }
    if (first === undefined) return;
    throw new CtxError({
      code: 'message-changed',
      problem: `Strategy "${strategy}" changed a message that it was given${isWhole ? '; the message was put back' : ', and it could not be put back'}`,
      place: `message "${first.message}"`,
      value: first.key,
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
function changedKey(object: Fields, { keys, values }: Copy): string | undefined {
  const now = Object.keys(object);
  for (let at = 0; at < keys.length; at += 1) {
    const key = keys[at] as string;
    if (now[at] !== key || !Object.is(object[key], values[at])) return key;
  }
  return now.length > keys.length ? now[keys.length] : undefined;
}

/** Restores an object. False if that failed. */
function restored(object: Fields, { keys, values }: Copy): boolean {
  try {
    for (const key of Object.keys(object)) delete object[key];
    keys.forEach((key, at) => {
      const value = values[at];
      Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
    });
    if (Array.isArray(object)) object.length = keys.length;
    return true;
  } catch {
    return false;
  }
}
