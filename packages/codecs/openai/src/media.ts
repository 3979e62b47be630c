import type { Part } from '@ctx/core';
import type { NativeLoss } from '@ctx/core/codec';

/** The media type in a data URL. */
export function mediaTypeOf(dataUrl: string): string | undefined {
  return /^data:([^;,]+)/i.exec(dataUrl)?.[1];
}

/** A URL as it is, base64 data as a data URL. */
export function toUrl(data: string, mediaType: string): string {
  return hasScheme(data) ? data : `data:${mediaType};base64,${data}`;
}

/** True for a URL that does not hold the data. */
export function isUrl(data: string): boolean {
  return hasScheme(data) && !/^data:/i.test(data);
}

/** No base64 has a colon. */
function hasScheme(data: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(data);
}

/** Only data has a media type; a URL has none. */
export function lostMediaType(part: Part): Pick<NativeLoss, 'place' | 'what'>[] {
  const data = part.type === 'image' ? part.image : part.type === 'file' ? part.data : undefined;
  if (data === undefined || !('mediaType' in part) || part.mediaType === undefined) return [];
  const isSaid = mediaTypeOf(toUrl(data, part.mediaType)) === part.mediaType;
  return isSaid ? [] : [{ place: 'mediaType', what: 'mediaType' }];
}
