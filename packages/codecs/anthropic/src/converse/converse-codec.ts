import type { Codec, Part } from '@ctx/core';
import { codecThrough, type Fields, fieldsOf, isFields, nativeInvalid } from '@ctx/core/codec';
import { anthropicCodec } from '../anthropic-codec.js';
import type { AnthropicConversation } from '../native-message.js';
import { anthropicBlock, blocksOf, converseBlock } from './converse-blocks.js';
import type { ConverseBlock, ConverseConversation, ConverseMessage } from './converse-message.js';

/**
 * The system prompt and messages of Bedrock's Converse API, for every model there. They have the structure of Anthropic's Messages API, other
 * names, and roles that have to take turns.
 */
export const converseCodec: Codec<ConverseConversation> = codecThrough<
  ConverseConversation,
  AnthropicConversation
>({ name: 'bedrock-converse', codec: anthropicCodec, read, write, says });

/** The message or cache point of Converse that one of Anthropic's was made from. */
const originals = new WeakMap<object, unknown>();
/** The block of Converse that one of Anthropic's was made from, and its cache point. */
const originalBlocks = new WeakMap<object, readonly unknown[]>();

function read(conversation: ConverseConversation): AnthropicConversation {
  const remedy = 'Give the `system` and `messages` of a request.';
  const { system, messages, ...rest } = fieldsOf(conversation, 'conversation', remedy);
  if (!Array.isArray(messages)) throw nativeInvalid('A list was expected', 'messages', messages, remedy);
  return {
    ...rest,
    ...(system !== undefined && { system: blocksAt(system, 'system') }),
    messages: messages.map((message: unknown, index) => messageOf(message, `messages[${index}]`)),
  } as unknown as AnthropicConversation;
}

function messageOf(value: unknown, place: string): Fields {
  const message = fieldsOf(value, place, 'A message is an object { role, content }.');
  const read = { ...message, content: blocksAt(message.content, `${place}.content`) };
  originals.set(read, value);
  return read;
}

function blocksAt(value: unknown, place: string): Fields[] {
  if (!Array.isArray(value))
    throw nativeInvalid('A list was expected', place, value, 'Content is a list of blocks such as { text }.');
  const blocks: Fields[] = [];
  value.forEach((block: unknown, at) => {
    const last = blocks.at(-1);
    const marked = last && markedBlock(last, block);
    const read = marked ?? anthropicBlock(block, `${place}[${at}]`);
    originalBlocks.set(read, marked === undefined ? [block] : [value[at - 1], block]);
    if (marked !== undefined) blocks.pop();
    blocks.push(read);
  });
  return blocks;
}

/** A block with the cache point behind it, which Anthropic has in the block: it moves from request to request, and says nothing. */
function markedBlock(block: Fields, next: unknown): Fields | undefined {
  const point = isFields(next) ? next.cachePoint : undefined;
  if (!isFields(point) || isFields(block.cache_control) || /thinking/.test(String(block.type)))
    return undefined;
  originals.set(point, next);
  return { ...block, cache_control: point };
}

function write({ system, messages, ...rest }: AnthropicConversation): ConverseConversation {
  const written: ConverseMessage[] = [];
  for (const message of messages as readonly Fields[]) {
    const next = (originals.get(message) ?? {
      ...message,
      content: blocksOf(message.content).flatMap(writtenBlocks),
    }) as ConverseMessage;
    const last = written.at(-1);
    // The API refuses two messages of one role in a row.
    if (last?.role === next.role)
      written[written.length - 1] = { ...last, content: [...last.content, ...next.content] };
    else written.push(next);
  }
  return {
    ...rest,
    ...(system !== undefined && { system: blocksOf(system).flatMap(writtenBlocks) }),
    messages: written,
  };
}

function writtenBlocks(block: Fields): readonly ConverseBlock[] {
  const { cache_control: point, ...rest } = block;
  const written = [
    converseBlock(rest),
    ...(isFields(point) ? [originals.get(point) ?? { cachePoint: point }] : []),
  ];
  return (originalBlocks.get(block) ?? written) as readonly ConverseBlock[];
}

const formats = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** The API takes the bytes of pictures and PDFs, and no address. */
function says(part: Part): boolean {
  if (part.type === 'image')
    return isData(part.image) && formats.includes(typeIn(part.image) ?? part.mediaType ?? 'image/png');
  if (part.type === 'file')
    return isData(part.data) && (typeIn(part.data) ?? part.mediaType) === 'application/pdf';
  return true;
}

const isData = (data: string) => /^data:/i.test(data) || !/^[a-z][a-z0-9+.-]*:/i.test(data);
const typeIn = (data: string) => /^data:([^;,]+)/i.exec(data)?.[1];
