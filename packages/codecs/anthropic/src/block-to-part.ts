import type { FilePart, ImagePart, Message, OpaquePart, Part, TextPart } from '@ctx/core';
import {
  type CallNames,
  type Fields,
  fieldsOf,
  isFields,
  nameAt,
  nativeInvalid,
  refuseTooDeep,
  stringAt,
} from '@ctx/core/codec';
import { isThinking, reasoningPart } from './thinking.js';

/** The names of the tools that are called, which results do not hold. */
export type Calls = Pick<CallNames, 'nameOf'>;

export type PlainPart = TextPart | ImagePart | FilePart | OpaquePart;

/** A block that does not belong in a message of the role is opaque. */
export function partOf(block: unknown, role: Message['role'], calls: Calls, place: string): Part {
  const fields = blockAt(block, place);
  if (role === 'tool') return resultPart(fields, calls, place);
  if (role === 'assistant' && fields.type === 'tool_use') return callPart(fields, place);
  if (role === 'assistant' && isThinking(fields)) return reasoningPart(fields, place);
  const part = plainPart(fields, place);
  return role === 'system' && part.type !== 'text' ? { type: 'opaque', value: block } : part;
}

/** @throws ValidationError if the value is not a block */
export function blockAt(block: unknown, place: string): Fields {
  const fields = fieldsOf(block, place, 'A content block is an object { type, … }.');
  nameAt(fields, 'type', place, 'A content block names its type.');
  return fields;
}

/** A block that both a message and a tool result may hold. */
export function plainPart(block: Fields, place: string): PlainPart {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: stringAt(block, 'text', place, 'A text block is { type, text }.') };
    case 'image':
      return imagePart(sourceOf(block, place)) ?? { type: 'opaque', value: block };
    case 'document':
      return documentPart(block, sourceOf(block, place)) ?? { type: 'opaque', value: block };
    default:
      return { type: 'opaque', value: block };
  }
}

function sourceOf(block: Fields, place: string): Fields {
  return fieldsOf(block.source, `${place}.source`, 'An image or document has a source { type, … }.');
}

/** An image given by the id of an uploaded file is opaque. */
function imagePart(source: Fields): ImagePart | undefined {
  if (source.type === 'base64' && isName(source.data)) {
    const mediaType = source.media_type;
    return { type: 'image', image: source.data, ...(typeof mediaType === 'string' && { mediaType }) };
  }
  return source.type === 'url' && isName(source.url) ? { type: 'image', image: source.url } : undefined;
}

/** A plain-text document is text, so that it can be shortened like any other. */
function documentPart({ title }: Fields, source: Fields): TextPart | FilePart | undefined {
  if (source.type === 'text' && typeof source.data === 'string') return { type: 'text', text: source.data };
  const data = source.type === 'base64' ? source.data : source.type === 'url' ? source.url : undefined;
  if (!isName(data)) return undefined;
  const mediaType = isName(source.media_type) ? source.media_type : 'application/pdf';
  return { type: 'file', data, mediaType, ...(typeof title === 'string' && { filename: title }) };
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function callPart(block: Fields, place: string): Part {
  const remedy = 'A tool_use block is { type, id, name, input }.';
  refuseTooDeep(block.input, `${place}.input`);
  return {
    type: 'tool-call',
    toolCallId: nameAt(block, 'id', place, remedy),
    toolName: nameAt(block, 'name', place, remedy),
    input: block.input ?? {},
  };
}

function resultPart(block: Fields, calls: Calls, place: string): Part {
  const toolCallId = nameAt(block, 'tool_use_id', place, 'A tool_result block names the call it answers.');
  return {
    type: 'tool-result',
    toolCallId,
    toolName: calls.nameOf(toolCallId) ?? 'unknown',
    output: output(block.content, place),
    ...(typeof block.is_error === 'boolean' && { isError: block.is_error }),
  };
}

function output(content: unknown, place: string) {
  if (content === undefined || content === null) return '';
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) {
    const value = content.map((item: unknown, index) => {
      const at = `${place}.content[${index}]`;
      return plainPart(blockAt(item, at), at);
    });
    return { type: 'content' as const, value };
  }
  throw nativeInvalid(
    'The content is neither text nor a list',
    `${place}.content`,
    content,
    'Give a string or a list of content blocks.',
  );
}

/** True for a block that becomes part of a tool message. */
export function isResult(block: unknown): boolean {
  return isFields(block) && block.type === 'tool_result';
}
