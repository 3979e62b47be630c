import type { ContextManager, Message } from '@ctx/core';

/** A history that was taken. */
export interface Taken<Native> {
  readonly history: Native;
  readonly decoded: readonly Message[];
  /** For each decoded message, that of the transcript. */
  readonly entries: ReturnType<ContextManager['sync']>['entries'];
  readonly isMended: boolean;
}

/** True if messages are all of a history, as it came. */
export function isShownWhole({ entries, isMended }: Taken<unknown>, messages: readonly Message[]): boolean {
  return (
    !isMended &&
    messages.length === entries.length &&
    messages.every((one, at) => one === entries[at]?.message)
  );
}

/** Messages with the newest form of each, and of the native values that edits have left in others. */
export function inNewestForm(messages: readonly Message[], { decoded, entries }: Taken<unknown>): Message[] {
  // Few are sent of a long history.
  const sought = new Set(messages.flatMap((message) => [message, message.native]));
  const newest = new Map<unknown, Message>();
  entries.forEach(({ message }, at) => {
    if (sought.has(message)) newest.set(message, decoded[at] as Message);
    if (isObject(message.native) && sought.has(message.native))
      newest.set(message.native, decoded[at] as Message);
  });
  return messages.map((message) => {
    const whole = newest.get(message);
    if (whole !== undefined) return whole;
    const native = newest.get(message.native)?.native;
    return isObject(native) ? { ...message, native } : message;
  });
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
