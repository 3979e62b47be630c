import { CtxError } from '../base/errors.js';
import { itemsPerStep, type Steps } from '../base/slices.js';
import type { MessageId } from '../transcript/message.js';
import type { ViewEntry } from '../view/view-entry.js';

/** Objects of a message from which on it is asked whether one comes again: only then may it be a ring. */
const manyObjects = 1_000;

type Fields = Record<string, unknown>;

/**
 * Notices and undoes changes that a strategy makes to the messages it is shown, which are the caller's own objects. It
 * copies their structure but not their texts, and freezes nothing. Time and memory grow with the number of parts.
 */
export class MessageGuard {
  readonly #made = new Set<unknown>();
  /** The objects and lists in messages, and at the same place of the other lists where each begins in `#fields` and the id of its message. */
  readonly #objects: Fields[] = [];
  readonly #starts: number[] = [];
  readonly #ids: MessageId[] = [];
  /** Keys and values of objects, and items of lists, as they were: a copy of each would keep the garbage collector busy. */
  readonly #fields: unknown[] = [];
  /** Used again for each message. */
  readonly #waiting: unknown[] = [];

  /** Remembers the messages of the transcript as they are now. */
  *watch(messages: readonly { readonly id: MessageId; readonly message: unknown }[]): Steps<void> {
    for (let at = 0; at < messages.length; at += 1) {
      if (at % itemsPerStep === 0) yield;
      const { id, message } = messages[at] as (typeof messages)[number];
      this.#remember(message, id);
    }
  }

  /** Remembers those that an edit made, unless it has done so before: the others are in the transcript. */
  watchMade(entries: readonly ViewEntry[]): Steps<void> {
    const made = entries.filter(
      ({ id, message, version, origins }) =>
        (version !== undefined || !origins.isOnly(id)) && !this.#made.has(message),
    );
    for (const { message } of made) this.#made.add(message);
    return this.watch(made);
  }

  #remember(message: unknown, id: MessageId): void {
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
      this.#starts.push(this.#fields.length);
      this.#ids.push(id);
      if (Array.isArray(object))
        for (const item of object) {
          this.#fields.push(item);
          if (typeof item === 'object') waiting.push(item);
        }
      else
        for (const key in object) {
          const value = object[key];
          this.#fields.push(key, value);
          if (typeof value === 'object') waiting.push(value);
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
    for (let at = 0; at < this.#objects.length; at += 1) {
      const object = this.#objects[at] as Fields;
      const start = this.#starts[at] as number;
      const end = this.#starts[at + 1] ?? this.#fields.length;
      const key = Array.isArray(object)
        ? this.#changedItem(object, start, end)
        : this.#changedKey(object, start, end);
      if (key === undefined) continue;
      first ??= [this.#ids[at] as MessageId, key];
      isWhole = restored(object, this.#fields.slice(start, end)) && isWhole;
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

  /** The first key whose value has changed, or that is new or gone; undefined if nothing changed. */
  #changedKey(object: Fields, start: number, end: number): string | undefined {
    const fields = this.#fields;
    let at = start;
    for (const key in object) {
      if (at === end) return key;
      if (key !== fields[at] || !Object.is(object[key], fields[at + 1])) return fields[at] as string;
      at += 2;
    }
    return at < end ? (fields[at] as string) : undefined;
  }

  /** Of a list only its items count. */
  #changedItem(list: readonly unknown[], start: number, end: number): string | undefined {
    const length = end - start;
    for (let at = 0; at < length; at += 1)
      if (at >= list.length || !Object.is(list[at], this.#fields[start + at])) return String(at);
    return list.length > length ? String(length) : undefined;
  }
}

/** True for objects and lists as in JSON. Anything else that a codec carries is left alone. */
function isPlain(value: unknown): value is Fields {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/**
 * Restores an object. False if that failed.
 * @param fields its keys and values, or the items of a list
 */
function restored(object: Fields, fields: readonly unknown[]): boolean {
  try {
    if (Array.isArray(object)) {
      for (const [at, item] of fields.entries()) object[at] = item;
      object.length = fields.length;
      return true;
    }
    for (const key of Object.keys(object)) delete object[key];
    for (let at = 0; at < fields.length; at += 2)
      Object.defineProperty(object, fields[at] as string, {
        value: fields[at + 1],
        writable: true,
        enumerable: true,
        configurable: true,
      });
    return true;
  } catch {
    return false;
  }
}
