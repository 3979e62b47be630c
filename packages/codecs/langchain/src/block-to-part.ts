import { type OpaquePart, type Part, type ToolOutput, withoutBytes } from '@ctx/core';
import { type Fields, fieldsOf, isFields, nameAt, nativeInvalid, stringAt } from '@ctx/core/codec';
import { mediaPart } from './media-block.js';

/** @throws ValidationError if the value is not a block */
export function blockAt(value: unknown, place: string): Fields {
  const block = fieldsOf(value, place, 'A content block is an object { type, … }.');
  nameAt(block, 'type', place, 'A content block names its type.');
  return block;
}

/** The core part for a block other than a call. Blocks that do not belong in the role are opaque. */
export function partOf(
  block: Fields,
  role: string,
  place: string,
): Exclude<Part, { type: 'tool-call' | 'tool-result' }> {
  if (role === 'assistant') {
    const reasoning = reasoningPart(block);
    if (reasoning !== undefined) return reasoning;
  }
  const part = plainPart(block, place);
  return role === 'system' && part.type !== 'text' ? opaque(block) : part;
}

function plainPart(block: Fields, place: string) {
  switch (block.type) {
    case 'text':
      return {
        type: 'text' as const,
        text: stringAt(block, 'text', place, 'A text block is { type, text }.'),
      };
    case 'text-plain':
    case 'image':
    case 'image_url':
    case 'audio':
    case 'video':
    case 'file':
      return mediaPart(block) ?? opaque(block);
    default:
      return opaque(block);
  }
}

/** The standard block, and those of providers. Where the text is empty, the provider reads what it encrypted. */
function reasoningPart(block: Fields) {
  const text = block[reasoningText(block) ?? ''];
  if (block.type === 'redacted_thinking' && typeof block.data === 'string')
    return { type: 'reasoning' as const, text: '', encrypted: block.data };
  if (typeof text !== 'string') return undefined;
  const { signature } = block;
  const encrypted =
    text === '' && typeof signature === 'string' && signature !== '' ? { encrypted: signature } : {};
  return { type: 'reasoning' as const, text, ...encrypted };
}

/** The field with the text of a block of reasoning. */
export function reasoningText(block: Fields): 'reasoning' | 'thinking' | undefined {
  if (block.type === 'reasoning') return 'reasoning';
  return block.type === 'thinking' ? 'thinking' : undefined;
}

export function opaque(value: unknown): OpaquePart {
  return { type: 'opaque', value: withoutBytes(value) };
}

/** What a tool returned: a text, or blocks. */
export function outputOf(content: unknown, place: string): ToolOutput {
  if (content === undefined || content === null) return '';
  if (typeof content === 'string') return content;
  const items = blocksAt(content, place).filter((item) => !isCachePoint(item));
  const value = items.map((item, index) => itemOf(item, `${place}.content[${index}]`));
  return { type: 'content', value };
}

/** Where Bedrock is to cache: it moves from request to request, and says nothing. */
export function isCachePoint(value: unknown): boolean {
  return isFields(value) && value.type === undefined && isFields(value.cachePoint);
}

/** The core part for a block in a tool message. */
export function itemOf(value: unknown, place: string) {
  return plainPart(blockAt(value, place), place);
}

export function blocksAt(content: unknown, place: string): readonly unknown[] {
  if (Array.isArray(content)) return content;
  throw nativeInvalid(
    'The content is neither text nor a list',
    `${place}.content`,
    content,
    'Content is a string or a list of content blocks.',
  );
}
