import type * as z from 'zod/mini';
import { jsonText } from '../base/json.js';
import type {
  file,
  image,
  messageSchema,
  opaque,
  reasoning,
  text,
  toolCall,
  toolResult,
} from './message-schema.js';

/** The id of a message in the transcript, or of a message that an edit put into the view. */
export type MessageId = string;

export type TextPart = z.infer<typeof text>;
/** `encrypted` is base64 data that the provider reads instead of the text. The text is then empty. */
export type ReasoningPart = z.infer<typeof reasoning>;
/** `image` is base64 data, a data URL or a URL. */
export type ImagePart = z.infer<typeof image>;
/** `data` is base64 data, a data URL or a URL. */
export type FilePart = z.infer<typeof file>;
/** Something that a codec does not know and passes through unchanged. */
export type OpaquePart = z.infer<typeof opaque>;
export type ToolCallPart = z.infer<typeof toolCall>;
export type ToolResultPart = z.infer<typeof toolResult>;
/** A string is short for `{ type: 'text', value }`. The other forms are those of the AI SDK. */
export type ToolOutput = ToolResultPart['output'];
export type Part =
  | TextPart
  | ReasoningPart
  | ImagePart
  | FilePart
  | OpaquePart
  | ToolCallPart
  | ToolResultPart;

/**
 * One entry of a conversation, with a role. Optional: `id` (unique; generated if missing), `createdAt` (ms since epoch), `priority`, `pinned`
 * (no edit may touch it), `summary` (true for a summary), `metadata`, `native` (what a codec needs to return the original object).
 */
export type Message = z.infer<typeof messageSchema>;

/** The parts of a message. String content is one text part. */
export function partsOf(message: Message): readonly Part[] {
  return typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content;
}

/** The parts of a message in the one form in which two that say the same are equal: a result that is one text is that text. It may be unchecked. */
export function saidParts(message: Message): readonly Part[] {
  const parts = partsOf(message);
  if (message.role !== 'tool' || !Array.isArray(parts)) return parts;
  return parts.map((part: Part | undefined) => {
    const { type, value } = Object(part?.type === 'tool-result' && part.output) as Readonly<
      Record<string, unknown>
    >;
    const [only, ...others] = type === 'content' && Array.isArray(value) ? value : [];
    const isText = others.length === 0 && only?.type === 'text';
    return isText ? { ...part, output: only.text } : part;
  }) as readonly Part[];
}

/** Freezes a message that core made, so that nobody can change it. Parts that came from the host are not frozen. */
export function madeMessage(message: Message): Message {
  Object.freeze(message.content);
  return Object.freeze(message);
}

/** The tool calls of a message, in order. */
export function toolCallsOf(message: Message): readonly ToolCallPart[] {
  if (message.role !== 'assistant' || typeof message.content === 'string') return [];
  return message.content.filter((part) => part.type === 'tool-call');
}

/** What a tool returned, as text the model reads. Images, files and opaque parts have no text. */
export function outputText(output: ToolOutput): string {
  if (typeof output === 'string') return output;
  switch (output.type) {
    case 'text':
    case 'error-text':
      return output.value;
    case 'json':
    case 'error-json':
      return jsonText(output.value);
    case 'content':
      return output.value.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
    default:
      return output satisfies never;
  }
}

/** The items of a result that is a list of them; empty for any other part. */
export function itemsOf(part: Part): Extract<ToolOutput, { readonly type: 'content' }>['value'] {
  if (part.type !== 'tool-result' || typeof part.output === 'string' || part.output.type !== 'content')
    return [];
  return part.output.value;
}

/** True if a tool returned nothing but text. Otherwise shortening it would lose an image, a file or a structure. */
export function isTextOutput(output: ToolOutput): boolean {
  if (typeof output === 'string' || output.type === 'text') return true;
  return output.type === 'content' && output.value.every(({ type }) => type === 'text');
}

/** True if a tool reports a failure, by its flag or by the type of its output. */
export function isErrorResult(part: ToolResultPart): boolean {
  if (part.isError !== undefined) return part.isError;
  return typeof part.output !== 'string' && part.output.type.startsWith('error-');
}

/** The text of a text part or a tool result; undefined for other parts. */
export function partText(part: Part | undefined): string | undefined {
  if (part?.type === 'text') return part.text;
  return part?.type === 'tool-result' ? outputText(part.output) : undefined;
}

/** The texts of a message and its tool results, joined by line breaks. Calls and reasoning are left out. */
export function messageText(message: Message): string {
  if (typeof message.content === 'string') return message.content;
  return partsOf(message)
    .map(partText)
    .filter((text) => text !== undefined)
    .join('\n');
}
