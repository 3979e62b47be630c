import { withoutBytes } from '@ctx/core';
import { isFields } from '@ctx/core/codec';

/**
 * The base64, data URL or URL of a `data` or `image` of the SDK, in any of its forms: text, bytes, a URL object, or
 * `{ type: 'data' | 'url' }` of version 7. Undefined for what has no such text, as a reference to an uploaded file.
 */
export function dataText(data: unknown): string | undefined {
  const said = withoutBytes(data);
  if (typeof said === 'string') return said === '' ? undefined : said;
  if (!isFields(said)) return undefined;
  if (said.type === 'data') return isFields(said.data) ? undefined : dataText(said.data);
  return said.type === 'url' ? dataText(said.url) : undefined;
}

/** The text of a file of version 7 that is given as text. */
export function plainText(data: unknown): string | undefined {
  return isFields(data) && data.type === 'text' && typeof data.text === 'string' ? data.text : undefined;
}

/** True for the media type of an image; version 7 also uses `image` for any of them. */
export function isImageType(mediaType: unknown): mediaType is string {
  return typeof mediaType === 'string' && /^image(\/|$)/i.test(mediaType);
}

/** False for `image` and `image/*`, which do not name a type: no provider accepts them for data. */
export function isOneType(mediaType: unknown): mediaType is string {
  return typeof mediaType === 'string' && /^[^/]+\/[^*]/.test(mediaType);
}

/** True for a URL that does not hold the data. No base64 has a colon. */
export function isUrl(data: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(data) && !isDataUrl(data);
}

export interface Base64Data {
  readonly data: string;
  readonly mediaType: string | undefined;
}

/** Base64 as it is, and that of a data URL; undefined for a data URL that can't be read. */
export function base64Data(data: string): Base64Data | undefined {
  if (!isDataUrl(data)) return { data, mediaType: undefined };
  const comma = data.indexOf(',');
  if (comma < 0) return undefined;
  const [type, ...parameters] = data.slice('data:'.length, comma).split(';');
  const said = data.slice(comma + 1);
  const mediaType = type || undefined;
  if (parameters.at(-1)?.toLowerCase() === 'base64')
    return said === '' ? undefined : { data: said, mediaType };
  try {
    return { data: withoutBytes(new TextEncoder().encode(decodeURIComponent(said))) as string, mediaType };
  } catch {
    return undefined;
  }
}

/** Undefined for a text that is no URL. */
export function urlOf(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

function isDataUrl(data: string): boolean {
  return /^data:/i.test(data);
}
