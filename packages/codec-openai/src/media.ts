/** The media type in a data URL. */
export function mediaTypeOf(dataUrl: string): string | undefined {
  return /^data:([^;,]+)/.exec(dataUrl)?.[1];
}

/** A URL as it is, base64 data as a data URL. */
export function toUrl(data: string, mediaType: string): string {
  return isUrl(data) || data.startsWith('data:') ? data : `data:${mediaType};base64,${data}`;
}

export function isUrl(data: string): boolean {
  return /^https?:/i.test(data);
}
