import type { ArchivedMessage, TranscriptMessage } from '@ctx/core';
import { isFields, parseJson, stringifyJson } from '@ctx/core/codec';
import { corrupt } from './archive-errors.js';
import type { Original } from './store.js';

/** What is kept of a message so that it can be had back; undefined if nothing is to be, or if something in it is secret. */
export function originalOf(
  { number, original }: ArchivedMessage,
  redact: ((text: string) => string) | undefined,
): Original | undefined {
  if (original === undefined) return undefined;
  const data = stringifyJson(original);
  if (redact !== undefined && hasSecret(JSON.parse(data), redact)) return undefined;
  return { message: number, data };
}

function hasSecret(value: unknown, redact: (text: string) => string): boolean {
  const waiting = [value];
  while (waiting.length > 0) {
    const one = waiting.pop();
    if (typeof one === 'string' && redact(one) !== one) return true;
    if (Array.isArray(one)) waiting.push(...one);
    else if (isFields(one)) for (const [key, inner] of Object.entries(one)) waiting.push(key, inner);
  }
  return false;
}

/** @throws CtxError `archive-corrupt` */
export function messageOf(data: unknown): TranscriptMessage {
  try {
    return parseJson(String(data)) as TranscriptMessage;
  } catch (error) {
    throw corrupt('A message in the archive cannot be read', error);
  }
}
