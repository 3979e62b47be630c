import type { FilePart, ImagePart, Message, OpaquePart, TextPart } from '@ctx/core';
import { type Fields, fieldsOf, isFields, nameAt, nativeInvalid, stringAt } from '@ctx/core/codec';
import { isUrl, mediaTypeOf, toUrl } from '../media.js';

export type ContentPart = TextPart | ImagePart | FilePart | OpaquePart;

/** @throws ValidationError `native-invalid` where it is no list */
export function contentList(content: unknown, place: string): unknown[] {
  if (Array.isArray(content)) return content;
  throw nativeInvalid(
    'The content is neither text nor a list',
    place,
    content,
    'Give a string or a list of content parts, such as { type: "input_text", text }.',
  );
}

/** The part for an item of content. What is known by its id only is opaque. */
export function contentPart(value: unknown, place: string): ContentPart {
  const item = fieldsOf(value, place, 'A content part is an object { type, … }.');
  switch (nameAt(item, 'type', place, 'A content part names its type.')) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return { type: 'text', text: stringAt(item, 'text', place, 'A text part is { type, text }.') };
    case 'input_image':
      return isGiven(item.image_url) ? { type: 'image', image: item.image_url } : { type: 'opaque', value };
    case 'input_file':
      return filePart(item);
    default:
      return { type: 'opaque', value };
  }
}

function filePart(item: Fields): ContentPart {
  const field = dataField(item);
  if (field === undefined) return { type: 'opaque', value: item };
  const data = item[field] as string;
  const { filename } = item;
  const mediaType = mediaTypeOf(data) ?? 'application/octet-stream';
  return { type: 'file', data, mediaType, ...(typeof filename === 'string' && { filename }) };
}

function dataField(item: Fields): 'file_data' | 'file_url' | undefined {
  return isGiven(item.file_data) ? 'file_data' : isGiven(item.file_url) ? 'file_url' : undefined;
}

function isGiven(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** The parts that a message of this role can say. */
export function hasForm(type: string, role: Message['role']): boolean {
  return type === 'text' || ((type === 'image' || type === 'file') && (role === 'user' || role === 'tool'));
}

/** The item of content for a part; undefined if the API has none. Fields of the old item that are not of its type only stay. */
export function contentItem(part: ContentPart, role: Message['role'], before?: unknown): Fields | undefined {
  if (!hasForm(part.type, role)) return undefined;
  const old = isFields(before) ? before : {};
  switch (part.type) {
    case 'text':
      return textItem(part.text, role, old);
    case 'image': {
      const image_url = toUrl(part.image, part.mediaType ?? 'image/png');
      return { detail: 'auto', ...kept(old, 'input_image'), type: 'input_image', image_url };
    }
    case 'file': {
      const { data, mediaType, filename } = part;
      const named = filename === undefined ? {} : { filename };
      const said = isUrl(data) ? { file_url: data } : { file_data: toUrl(data, mediaType) };
      return { ...kept(old, ''), type: 'input_file', ...named, ...said };
    }
    default:
      return undefined;
  }
}

function textItem(text: string, role: Message['role'], old: Fields): Fields {
  const isText = old.type === 'input_text' || old.type === 'output_text' || old.type === 'text';
  if (isText) return { ...old, text };
  const annotations = role === 'assistant' ? { annotations: [] } : {};
  const type = role === 'assistant' ? 'output_text' : 'input_text';
  return { ...kept(old, type), type, text, ...annotations };
}

/** Fields of images and files only. */
const peculiar = ['image_url', 'file_id', 'detail', 'file_data', 'file_url', 'filename'];

function kept(old: Fields, type: string): Fields {
  if (old.type === type) return old;
  return Object.fromEntries(Object.entries(old).filter(([key]) => !peculiar.includes(key)));
}
