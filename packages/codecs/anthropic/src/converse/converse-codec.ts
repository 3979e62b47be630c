import type { Codec, Part } from '@ctx/core';
import { codecThrough, type Fields, fieldsOf, nativeInvalid } from '@ctx/core/codec';
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

/** The message or block of Converse that one of Anthropic's was made from. */
const originals = new WeakMap<object, unknown>();

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
  return value.map((block: unknown, at) => {
    const read = anthropicBlock(block, `${place}[${at}]`);
    originals.set(read, block);
    return read;
  });
}

function write({ system, messages, ...rest }: AnthropicConversation): ConverseConversation {
  const written: ConverseMessage[] = [];
  for (const message of messages as readonly Fields[]) {
    const next = (originals.get(message) ?? {
      ...message,
      content: blocksOf(message.content).map(blockOf),
    }) as ConverseMessage;
    const last = written.at(-1);
    // The API refuses two messages of one role in a row.
    if (last?.role === next.role)
      written[written.length - 1] = { ...last, content: [...last.content, ...next.content] };
    else written.push(next);
  }
  return {
    ...rest,
    ...(system !== undefined && { system: blocksOf(system).map(blockOf) }),
    messages: written,
  };
}

const blockOf = (block: Fields) => (originals.get(block) ?? converseBlock(block)) as ConverseBlock;

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
