import { CtxError } from '@ctx/core';

/** A message, lines of it, or several messages. */
export interface Ref {
  /** The message's number in the conversation, from 1. */
  readonly message: number;
  /** The number of the last of several messages. */
  readonly last?: number | undefined;
  /** Lines of the message, from 1. */
  readonly lines?: { readonly first: number; readonly last: number } | undefined;
}

const form = /^#m([1-9]\d{0,14})(?::([1-9]\d{0,14})(?:-([1-9]\d{0,14}))?|-#?m?([1-9]\d{0,14}))?$/;

/** Writes a handle: `#m41`, `#m41:7`, `#m41:120-180` or `#m5-#m40`. */
export function refText({ message, last, lines }: Ref): string {
  if (last !== undefined) return `#m${message}-#m${last}`;
  if (lines === undefined) return `#m${message}`;
  return `#m${message}:${lines.first}${lines.last === lines.first ? '' : `-${lines.last}`}`;
}

/**
 * Reads a handle.
 * @throws CtxError `archive-ref-invalid`
 */
export function parseRef(text: string): Ref {
  const [, message, first, last = first, lastMessage] =
    (typeof text === 'string' && form.exec(text.trim())) || [];
  if (message === undefined || Number(last) < Number(first) || Number(lastMessage) < Number(message))
    throw invalid(text);
  if (lastMessage !== undefined) return { message: Number(message), last: Number(lastMessage) };
  if (first === undefined) return { message: Number(message) };
  return { message: Number(message), lines: { first: Number(first), last: Number(last) } };
}

function invalid(value: unknown): CtxError {
  return new CtxError({
    code: 'archive-ref-invalid',
    problem: 'This is not a handle of a message',
    place: 'ref',
    value,
    remedy:
      'A handle names a message by its number, as #m41, lines of it, as #m41:120-180, or several messages, as #m5-#m40.',
  });
}
