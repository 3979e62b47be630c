import type * as z from 'zod/mini';
import { refuseDepth } from '../base/depth.js';
import { ValidationError } from '../base/errors.js';
import { english, placeOf, valueAt } from '../base/value-forms.js';
import { type Message, type MessageId, partsOf, toolCallsOf } from './message.js';
import { messageSchema } from './message-schema.js';
import { Transcript, type TranscriptMessage } from './transcript.js';

/** True for a value that has the form of a message. */
export function isMessage(value: unknown): value is Message {
  return messageSchema.safeParse(value).success;
}

/**
 * Checks that a value is a message and returns the same object.
 * @param index the position the message would have, for the error's place
 * @throws ValidationError `message-invalid`, `value-no-json`, `message-empty` or `tool-call-id-duplicate`
 */
export function parseMessage(value: unknown, index: number): Message {
  const parsed = messageSchema.safeParse(value, english);
  if (!parsed.success) throw invalid(parsed.error, value, index);
  const message = value as Message;
  const place = `messages[${index}]`;
  refuseDepth(message, place, 'content');
  if (typeof message.content !== 'string')
    for (const [at, part] of message.content.entries()) refuseDepth(part, `${place}.content[${at}]`);
  if (partsOf(message).every((part) => part.type === 'text' && part.text === '')) {
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

/**
 * The messages that a caller gave, each of which is still to be checked.
 * @throws ValidationError `message-invalid` for what is no list
 */
export function messagesIn(given: Iterable<Message>, place: string): readonly Message[] {
  if (Array.isArray(given)) return given;
  if (typeof given === 'object' && typeof given?.[Symbol.iterator] === 'function') return [...given];
  throw new ValidationError({
    code: 'message-invalid',
    problem: 'A list of messages was expected',
    place,
    value: given,
    remedy: 'Give the whole conversation as a list of messages.',
  });
}

const form =
  'A message is { role: system | user | assistant | tool, content }. The content of a tool message is a list of { type: "tool-result", toolCallId, toolName, output }. That of any other is a text or a list of parts: { type: "text", text } for all; { type: "image", image } and { type: "file", data, mediaType } for user and assistant; { type: "reasoning", text } and { type: "tool-call", toolCallId, toolName, input } for the assistant. A message may also have an id and createdAt (ms), priority (CRITICAL, HIGH, NORMAL or LOW), pinned, summary and metadata (an object).';

function invalid(error: z.core.$ZodError, value: unknown, index: number): ValidationError {
  const issue = deepest(error.issues);
  return new ValidationError({
    code: 'message-invalid',
    problem: `The message does not have the form of a message: ${issue.message}`,
    place: placeOf(['messages', index, ...issue.path]),
    value: valueAt(issue.path, value),
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

/** A transcript that checks the form of every message. */
export class CheckedTranscript extends Transcript {
  /** @throws ValidationError as `Transcript`, and when the message is malformed; nothing is appended then */
  override append(value: unknown, id?: MessageId, createdAt?: number): readonly TranscriptMessage[] {
    return super.append(parseMessage(value, this.offset + this.length), id, createdAt);
  }
}
