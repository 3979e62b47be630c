import { type FilePart, type ImagePart, type OpaquePart, type TextPart, withoutBytes } from '@ctx/core';
import { type Fields, fieldsOf, nameAt } from '@ctx/core/codec';
import { dataText, isImageType, isOneType, plainText } from './media.js';

/** @throws ValidationError if the value is not a part */
export function partAt(value: unknown, place: string): Fields {
  const part = fieldsOf(value, place, 'A part is an object { type, … }.');
  nameAt(part, 'type', place, 'A part names its type.');
  return part;
}

/** A file that is given as text is text, so that it can be shortened. */
export function fileOf(native: Fields): TextPart | ImagePart | FilePart | undefined {
  const text = plainText(native.data);
  if (text !== undefined) return { type: 'text', text };
  const { mediaType, filename } = native;
  if (isImageType(mediaType)) return imageOf(native.data, native);
  const data = dataText(native.data);
  if (data === undefined || typeof mediaType !== 'string') return undefined;
  return { type: 'file', data, mediaType, ...(typeof filename === 'string' && { filename }) };
}

export function imageOf(data: unknown, { mediaType }: Fields): ImagePart | undefined {
  const image = dataText(data);
  if (image === undefined) return undefined;
  return { type: 'image', image, ...(isOneType(mediaType) && { mediaType }) };
}

/** What the codec does not know, as JSON. */
export function opaque(native: unknown): OpaquePart {
  return { type: 'opaque', value: withoutBytes(native) };
}
