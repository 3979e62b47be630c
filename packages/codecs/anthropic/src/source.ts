import type { FilePart, ImagePart } from '@ctx/core';
import type { Fields } from '@ctx/core/codec';

/** Undefined for an image that the API can't read: given by another URL than one of the web, or by data that is not base64. */
export function imageSource({ image, mediaType }: ImagePart): Fields | undefined {
  if (isUrl(image)) return { type: 'url', url: image };
  const url = dataUrl(image);
  if (url === undefined && hasScheme(image)) return undefined;
  return { type: 'base64', media_type: url?.mediaType ?? mediaType ?? 'image/png', data: url?.data ?? image };
}

/** The source of a file; undefined if it is neither PDF nor text, because the API reads nothing else. */
export function documentSource({ data, mediaType }: FilePart): Fields | undefined {
  if (isUrl(data)) return { type: 'url', url: data };
  const url = dataUrl(data);
  if (url === undefined && hasScheme(data)) return undefined;
  const base64 = url?.data ?? data;
  const type = url?.mediaType ?? mediaType;
  if (type === 'application/pdf') return { type: 'base64', media_type: type, data: base64 };
  if (!type.startsWith('text/')) return undefined;
  const text = decoded(base64);
  return text === undefined ? undefined : { type: 'text', media_type: 'text/plain', data: text };
}

function isUrl(data: string): boolean {
  return /^https?:/i.test(data);
}

/** No base64 has a colon. */
function hasScheme(data: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(data);
}

function dataUrl(text: string): { mediaType: string; data: string } | undefined {
  const [, mediaType, data] = /^data:([^;,]+)(?:;[^,]*)?;base64,(.*)$/is.exec(text) ?? [];
  return mediaType === undefined || data === undefined ? undefined : { mediaType, data };
}

/** Undefined for what is no base64 or no UTF-8: as a text it would say something else. */
function decoded(base64: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
