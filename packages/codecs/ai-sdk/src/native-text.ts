import type { Fields } from '@ctx/core/codec';
import { plainText } from './media.js';

/** Which fields a part of each kind has of its own. All others, such as `providerOptions`, stay when it becomes a text. */
const ownFields = ['type', 'text', 'image', 'data', 'url', 'mediaType', 'filename', 'originalUrl'];

/** A text in place of what was there: of a file that holds text, only the text changes. */
export function nativeText(text: string, old: Fields | undefined): Fields {
  if (plainText(old?.data) !== undefined) return { ...old, data: { ...(old?.data as Fields), text } };
  return { ...sharedFields(old), type: 'text', text };
}

/** The fields of a part that suit a part of another kind, too. */
export function sharedFields(old: Fields | undefined): Fields {
  return Object.fromEntries(Object.entries(old ?? {}).filter(([key]) => !ownFields.includes(key)));
}
