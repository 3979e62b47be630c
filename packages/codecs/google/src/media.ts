import type { FilePart, ImagePart } from '@ctx/core';
import type { Fields } from '@ctx/core/codec';

/** The field of a native part that holds an image or file; undefined for a data URL that is not base64. */
export function mediaField(part: ImagePart | FilePart): Fields | undefined {
  const data = part.type === 'image' ? part.image : part.data;
  const displayName =
    part.type === 'file' && part.filename !== undefined ? { displayName: part.filename } : {};
  const mimeType = part.mediaType ?? 'image/png';
  const [, urlType, base64] = /^data:([^;,]+)(?:;[^,]*)?;base64,(.*)$/is.exec(data) ?? [];
  if (base64 !== undefined) return { inlineData: { mimeType: urlType, data: base64, ...displayName } };
  if (/^data:/i.test(data)) return undefined;
  if (hasScheme(data)) return { fileData: { mimeType, fileUri: data, ...displayName } };
  return { inlineData: { mimeType, data, ...displayName } };
}

/** No base64 has a colon. */
function hasScheme(data: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(data);
}
