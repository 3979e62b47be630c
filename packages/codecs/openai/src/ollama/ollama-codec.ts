import { type Codec, type Message, toolCallsOf } from '@ctx/core';
import {
  codecThrough,
  type DecodeContext,
  type Fields,
  fieldsOf,
  isFields,
  jsonOf,
  nativeInvalid,
  parseJson,
} from '@ctx/core/codec';
import type { ChatMessage } from '../chat-message.js';
import { isUrl } from '../media.js';
import { openaiCodec } from '../openai-codec.js';
import type { OllamaMessage } from './ollama-message.js';

/**
 * Messages of Ollama's own API, `POST /api/chat`. They say what those of Chat Completions say: arguments are objects there, pictures have a
 * field of their own, and calls may have no ids. Several texts of one message become one, with line breaks between them.
 */
export const ollamaCodec: Codec<OllamaMessage[]> = codecThrough<OllamaMessage[], ChatMessage[]>({
  name: 'ollama',
  codec: openaiCodec,
  read,
  write,
  says: (part) => part.type !== 'file' && (part.type !== 'image' || !isUrl(part.image)),
});

/** The message of Ollama that a message of Chat Completions was made from. */
const originals = new WeakMap<object, OllamaMessage>();
/** The beginning of ids that are made up for calls without one: their number in the conversation follows. */
const madeUp = 'ollama-call-';

interface OpenCall {
  readonly id: string;
  readonly name: string;
}

/** The calls so far, of which results without an id answer the oldest of their tool. */
class Calls {
  #count = 0;
  #open: OpenCall[] = [];

  made(id: unknown, name: string): string {
    const known = typeof id === 'string' && id !== '' ? id : `${madeUp}${this.#count}`;
    this.#count += 1;
    this.#open.push({ id: known, name });
    return known;
  }

  answered(id: unknown, name: unknown): string {
    const answers = (call: OpenCall) => (typeof id === 'string' ? call.id === id : call.name === name);
    const call = this.#open.find(answers) ?? (typeof id === 'string' ? undefined : this.#open[0]);
    this.#open = this.#open.filter((one) => one !== call);
    return call?.id ?? (typeof id === 'string' ? id : `${madeUp}none`);
  }
}

function callsIn(messages: readonly Message[]): Calls {
  const calls = new Calls();
  for (const message of messages) {
    for (const { toolCallId, toolName } of toolCallsOf(message)) calls.made(toolCallId, toolName);
    if (message.role === 'tool')
      for (const { toolCallId, toolName } of message.content) calls.answered(toolCallId, toolName);
  }
  return calls;
}

function read(conversation: readonly OllamaMessage[], { after = [] }: DecodeContext): ChatMessage[] {
  if (!Array.isArray(conversation))
    throw nativeInvalid('A list was expected', 'messages', conversation, 'Give the `messages` of a request.');
  const calls = callsIn(after);
  return conversation.map((message: unknown, index) => {
    const place = `messages[${index}]`;
    const fields = fieldsOf(message, place, 'A message is an object { role, content }.');
    const chat = chatOf(fields, calls, place) as unknown as ChatMessage;
    originals.set(chat, fields as unknown as OllamaMessage);
    return chat;
  });
}

function chatOf(message: Fields, calls: Calls, place: string): Fields {
  const { tool_calls, images, tool_name, ...rest } = message;
  const hasImages = Array.isArray(images) && images.length > 0;
  const isAnswer = message.role === 'tool';
  return {
    ...rest,
    ...(hasImages ? { content: withImages(rest.content, images) } : images !== undefined && { images }),
    ...(Array.isArray(tool_calls)
      ? {
          tool_calls: tool_calls.map((call: unknown, at) =>
            chatCall(call, calls, `${place}.tool_calls[${at}]`),
          ),
        }
      : tool_calls !== undefined && { tool_calls }),
    ...(isAnswer && { tool_call_id: calls.answered(message.tool_call_id, tool_name) }),
    ...(tool_name !== undefined ? { name: tool_name } : isAnswer && { unnamed: true }),
  };
}

function withImages(content: unknown, images: readonly unknown[]): Fields[] {
  const text = typeof content === 'string' && content !== '' ? [{ type: 'text', text: content }] : [];
  return [
    ...text,
    ...images.map((image) => ({
      type: 'image_url',
      image_url: { url: `data:${mediaTypeOf(String(image))};base64,${String(image)}` },
    })),
  ];
}

/** The first bytes of a picture say what it is. */
function mediaTypeOf(base64: string): string {
  if (base64.startsWith('/9j/')) return 'image/jpeg';
  if (base64.startsWith('R0lG')) return 'image/gif';
  return base64.startsWith('UklG') ? 'image/webp' : 'image/png';
}

function chatCall(value: unknown, calls: Calls, place: string): Fields {
  const call = fieldsOf(value, place, 'A tool call is { function: { name, arguments } }.');
  const called = fieldsOf(call.function, `${place}.function`, 'A tool call holds { name, arguments }.');
  const { arguments: input } = called;
  if (input !== undefined && !isFields(input))
    throw nativeInvalid(
      'The arguments are not an object',
      `${place}.function.arguments`,
      input,
      'Give an object, not its JSON.',
    );
  return {
    ...call,
    type: 'function',
    ...(call.type !== undefined && { typed: call.type }),
    id: calls.made(call.id, String(called.name)),
    function: {
      ...called,
      arguments: input === undefined ? '' : jsonOf(input, `${place}.function.arguments`),
    },
  };
}

function write(conversation: readonly ChatMessage[]): OllamaMessage[] {
  const names = new Map<string, string>();
  return conversation.map((chat) => {
    const fields = chat as unknown as Fields;
    for (const call of listAt(fields.tool_calls))
      names.set(String(call.id), String((call.function as Fields).name));
    return originals.get(chat) ?? (ollamaOf(fields, names) as unknown as OllamaMessage);
  });
}

function ollamaOf(chat: Fields, names: ReadonlyMap<string, string>): Fields {
  const { content, tool_calls, tool_call_id, name, unnamed, ...rest } = chat;
  const items = Array.isArray(content) ? (content as readonly unknown[]) : [content ?? ''];
  const texts = items.flatMap((item) => (typeof item === 'string' ? item : textIn(item)));
  const images = items.flatMap(imageIn);
  const tool = name ?? (unnamed === true ? undefined : names.get(String(tool_call_id)));
  return {
    ...rest,
    ...('content' in chat && { content: texts.join('\n') }),
    ...(images.length > 0 && { images }),
    ...(tool_calls !== undefined && {
      tool_calls: Array.isArray(tool_calls) ? tool_calls.map(ollamaCall) : tool_calls,
    }),
    ...(tool !== undefined && { tool_name: tool }),
    ...withId('tool_call_id', tool_call_id),
  };
}

function textIn(item: unknown): string[] {
  return isFields(item) && item.type === 'text' ? [String(item.text)] : [];
}

function imageIn(item: unknown): string[] {
  if (!isFields(item) || !isFields(item.image_url)) return [];
  return [String(item.image_url.url).replace(/^data:[^,]*,/, '')];
}

function ollamaCall({ id, type: _, typed, function: called, ...rest }: Fields): Fields {
  const { arguments: json, ...named } = called as Fields;
  const input = json === '' ? {} : { arguments: objectIn(String(json)) };
  const type = typed === undefined ? {} : { type: typed };
  return { ...rest, ...withId('id', id), ...type, function: { ...named, ...input } };
}

/** The API takes nothing but objects. */
function objectIn(json: string): unknown {
  try {
    const value: unknown = parseJson(json);
    return isFields(value) ? value : { input: value };
  } catch {
    return { input: json };
  }
}

/** Ids that were made up are known here alone. */
function withId(key: string, id: unknown): Fields {
  return id === undefined || String(id).startsWith(madeUp) ? {} : { [key]: id };
}

function listAt(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : [];
}
