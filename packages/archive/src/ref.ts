import { CtxError } from '@ctx/core';

/** A message, or lines of it. */
export interface Ref {
  /** The message's number in the conversation, from 1. */
  readonly message: number;
  /** Lines of the message, from 1. */
  readonly lines?: { readonly first: number; readonly last: number } | undefined;
}

const form = /^#m([1-9]\d{0,14})(?::([1-9]\d{0,14})(?:-([1-9]\d{0,14}))?)?$/;

/** Writes a handle: `#m41`, `#m41:7` or `#m41:120-180`. */
export function refText({ message, lines }: Ref): string {
  if (lines === undefined) return `#m${message}`;
  return `#m${message}:${lines.first}${lines.last === lines.first ? '' : `-${lines.last}`}`;
}

/**
 * Reads a handle.
 * @throws CtxError `archive-ref-invalid`
 */
export function parseRef(text: string): Ref {
  const [, message, first, last = first] = (typeof text === 'string' && form.exec(text.trim())) || [];
  if (message === undefined || Number(last) < Number(first)) throw invalid(text);
  if (first === undefined) return { message: Number(message) };
  return { message: Number(message), lines: { first: Number(first), last: Number(last) } };
}

function invalid(value: unknown): CtxError {
  return new CtxError({
    code: 'archive-ref-invalid',
    problem: 'This is not a handle of a message',
    place: 'ref',
    value,
    remedy: 'A handle names a message by its number, as #m41, or lines of it, as #m41:120-180.',
  });
}
