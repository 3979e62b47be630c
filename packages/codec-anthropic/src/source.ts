import type { Fields, FilePart, ImagePart } from '@ctx/core';

export function imageSource({ image, mediaType }: ImagePart): Fields {
  if (isUrl(image)) return { type: 'url', url: image };
  const url = dataUrl(image);
  return { type: 'base64', media_type: url?.mediaType ?? mediaType ?? 'image/png', data: url?.data ?? image };
}

/** The source of a file; undefined if it is neither PDF nor text, because the API reads nothing else. */
export function documentSource({ data, mediaType }: FilePart): Fields | undefined {
  if (isUrl(data)) return { type: 'url', url: data };
  const url = dataUrl(data);
  const base64 = url?.data ?? data;
  const type = url?.mediaType ?? mediaType;
  if (type === 'application/pdf') return { type: 'base64', media_type: type, data: base64 };
  if (!type.startsWith('text/')) return undefined;
  return { type: 'text', media_type: 'text/plain', data: decoded(base64) };
}

function isUrl(data: string): boolean {
  return /^https?:/i.test(data);
}

function dataUrl(text: string): { mediaType: string; data: string } | undefined {
  const [, mediaType, data] = /^data:([^;,]+)(?:;[^,]*)?;base64,(.*)$/s.exec(text) ?? [];
  return mediaType === undefined || data === undefined ? undefined : { mediaType, data };
}

function decoded(base64: string): string {
  return new TextDecoder().decode(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)));
}
