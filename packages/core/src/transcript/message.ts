import * as z from 'zod/mini';
import { object } from '../base/compiled-object.js';
import { refuseDepth } from '../base/depth.js';
import { english } from '../base/english.js';
import { ValidationError } from '../base/errors.js';
import { jsonText } from '../base/json.js';
import { isFields } from '../base/native.js';
import { isPlainMessage } from './plain-message.js';

/** The id of a message in the transcript, or of a message that an edit put into the view. */
export type MessageId = string;

/** From messages that may never leave the view (CRITICAL) to those that leave first (LOW). */
export const priorities = ['CRITICAL', 'HIGH', 'NORMAL', 'LOW'] as const;
export type Priority = (typeof priorities)[number];

const named = z.string().check(z.minLength(1));
const text = object({ type: z.literal('text'), text: z.string() });
const reasoning = object({
  type: z.literal('reasoning'),
  text: z.string(),
  encrypted: z.optional(z.string()),
});
const image = object({ type: z.literal('image'), image: named, mediaType: z.optional(z.string()) });
const file = object({
  type: z.literal('file'),
  data: named,
  mediaType: z.string(),
  filename: z.optional(z.string()),
});
const opaque = object({ type: z.literal('opaque'), value: z.unknown() });
const toolCall = object({
  type: z.literal('tool-call'),
  toolCallId: named,
  toolName: named,
  input: z.unknown(),
});
const outputPart = z.discriminatedUnion('type', [text, image, file, opaque]);
const toolOutput = z.union([
  z.string(),
  z.discriminatedUnion('type', [
    object({ type: z.literal('text'), value: z.string() }),
    object({ type: z.literal('error-text'), value: z.string() }),
    object({ type: z.literal('json'), value: z.unknown() }),
    object({ type: z.literal('error-json'), value: z.unknown() }),
    object({ type: z.literal('content'), value: z.readonly(z.array(outputPart)) }),
  ]),
]);
const toolResult = object({
  type: z.literal('tool-result'),
  toolCallId: named,
  toolName: named,
  output: toolOutput,
  isError: z.optional(z.boolean()),
});

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

const common = {
  id: z.optional(named),
  createdAt: z.optional(z.number().check(z.nonnegative())),
  priority: z.optional(z.enum(priorities)),
  pinned: z.optional(z.boolean()),
  summary: z.optional(z.boolean()),
  metadata: z.optional(z.custom<Record<string, unknown>>(isFields)),
  native: z.optional(z.unknown()),
};

function contentOf<
  const P extends readonly [z.core.$ZodTypeDiscriminable, ...z.core.$ZodTypeDiscriminable[]],
>(parts: P) {
  return z.union([z.string(), z.readonly(z.array(z.discriminatedUnion('type', parts)))]);
}

/** The form of a message. Unknown keys are allowed and kept, because `append` keeps the object it was given. */
export const messageSchema = z.discriminatedUnion('role', [
  object({ role: z.literal('system'), content: contentOf([text, opaque]), ...common }),
  object({ role: z.literal('user'), content: contentOf([text, image, file, opaque]), ...common }),
  object({
    role: z.literal('assistant'),
    content: contentOf([text, reasoning, image, file, toolCall, opaque]),
    ...common,
  }),
  object({ role: z.literal('tool'), content: z.readonly(z.array(toolResult)), ...common }),
]);

/**
 * One entry of a conversation, with a role. Optional: `id` (unique; generated if missing), `createdAt` (ms since epoch), `priority`, `pinned`
 * (no edit may touch it), `summary` (true for a summary), `metadata`, `native` (what a codec needs to return the original object).
 */
export type Message = z.infer<typeof messageSchema>;

/** True for a value that has the form of a message. */
export function isMessage(value: unknown): value is Message {
  return isPlainMessage(value) || messageSchema.safeParse(value).success;
}

/** The parts of a message. String content is one text part. */
export function partsOf(message: Message): readonly Part[] {
  return typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content;
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

function isEmpty(message: Message): boolean {
  if (typeof message.content === 'string') return message.content === '';
  return message.content.every((part) => part.type === 'text' && part.text === '');
}

/**
 * Checks that a value is a message and returns the same object.
 * @param index the position the message would have, for the error's place
 * @throws ValidationError `message-invalid`, `value-no-json`, `message-empty` or `tool-call-id-duplicate`
 */
export function parseMessage(value: unknown, index: number): Message {
  const parsed = isPlainMessage(value) ? undefined : messageSchema.safeParse(value, english);
  if (parsed?.success === false) throw invalid(parsed.error, value, index);
  const message = value as Message;
  const place = `messages[${index}]`;
  refuseDepth(message, place, 'content');
  if (typeof message.content !== 'string')
    for (const [at, part] of message.content.entries()) refuseDepth(part, `${place}.content[${at}]`);
  if (isEmpty(message)) {
    throw new ValidationError({
      code: 'message-empty',
      problem: 'The message has no content; every provider refuses such a message',
      place: `messages[${index}].content`,
      value: message.content,
      remedy: 'Leave the message out, or give it some text.',
    });
  }
  const calls = toolCallsOf(message).map((call) => call.toolCallId);
  const twice = calls.find((id, position) => calls.indexOf(id) !== position);
  if (twice !== undefined) {
    throw new ValidationError({
      code: 'tool-call-id-duplicate',
      problem: 'Two tool calls of one message have the same id',
      place: `messages[${index}].content`,
      value: twice,
      remedy: 'Give each call of a message its own toolCallId, so that results find their call.',
    });
  }
  return message;
}

const form =
  'A message is { role: system | user | assistant | tool, content }. The content of a tool message is a list of { type: "tool-result", toolCallId, toolName, output }. That of any other is a text or a list of parts: { type: "text", text } for all; { type: "image", image } and { type: "file", data, mediaType } for user and assistant; { type: "reasoning", text } and { type: "tool-call", toolCallId, toolName, input } for the assistant. A message may also have an id and createdAt (ms), priority (CRITICAL, HIGH, NORMAL or LOW), pinned, summary and metadata (an object).';

function invalid(error: z.core.$ZodError, value: unknown, index: number): ValidationError {
  const issue = deepest(error.issues);
  const path = issue.path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  const found = issue.path.reduce<unknown>(
    (at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key],
    value,
  );
  return new ValidationError({
    code: 'message-invalid',
    problem: `The message does not have the form of a message: ${issue.message}`,
    place: `messages[${index}]${path}`,
    value: found,
    remedy: form,
    cause: error,
  });
}

/** A union reports one list of issues per branch. The branch that matched furthest names the real problem. */
function deepest(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue {
  const flat = issues.flatMap((issue) => {
    if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue];
    const inner = issue.errors.map((branch) => deepest(branch));
    const best = inner.reduce((a, b) => (b.path.length > a.path.length ? b : a));
    return [{ ...best, path: [...issue.path, ...best.path] }];
  });
  return flat.reduce((a, b) => (b.path.length > a.path.length ? b : a));
}
