import type { Message } from '@ctx/core';
import {
  createdAt,
  type DecodeContext,
  type Fields,
  fieldsOf,
  isFields,
  nativeInvalid,
} from '@ctx/core/codec';
import type { GoogleContent, GoogleRequest } from './content.js';
import { google } from './google-form.js';
import { madeUpId } from './made-up-id.js';
import { isResponse } from './native-to-part.js';
import { OpenCalls } from './open-calls.js';
import type { Native, Origin } from './origin.js';
import { partsIn, roleOf, slotsOf } from './slots.js';

/** @throws ValidationError `native-invalid` or `value-no-json` with the place that is not understood */
export function toMessages(
  conversation: GoogleRequest | readonly GoogleContent[],
  { after = [] }: DecodeContext = {},
): Message[] {
  const remedy = 'Give the `contents` of a request, and its `systemInstruction`.';
  const request = Array.isArray(conversation)
    ? { contents: conversation as unknown }
    : fieldsOf(conversation, 'conversation', remedy);
  const { systemInstruction, contents } = request as Fields;
  if (!Array.isArray(contents)) throw nativeInvalid('A list was expected', 'contents', contents, remedy);
  const calls = new OpenCalls(after);
  const decoded: Message[] = [];
  const add = (message: Message) => {
    decoded.push(message);
    calls.see(message);
  };
  if (systemInstruction !== undefined && systemInstruction !== null)
    decoded.push(systemMessage(systemInstruction as Native));
  let last: Message['role'] | undefined = after.at(-1)?.role;
  contents.forEach((value: unknown, index) => {
    const place = `contents[${index}]`;
    const role = roleOf(value, place);
    const position = role === 'assistant' && last === 'assistant' ? { continues: true as const } : {};
    last = role;
    for (const message of decode(
      value as GoogleContent,
      place,
      after.length + decoded.length,
      calls,
      position,
    ))
      add(message);
  });
  return decoded;
}

function systemMessage(system: Native): Message {
  return messageOf('system', { message: system, system: true }, 'systemInstruction');
}

/**
 * One message, or two if a content has both responses and other parts.
 * @param number of the message in the conversation, for the ids of calls without one
 */
export function decode(
  native: GoogleContent,
  place: string,
  number: number,
  calls: OpenCalls,
  position: Pick<Origin, 'continues'> = {},
): Message[] {
  const role = roleOf(native, place);
  const parts = partsIn({ message: native }, place);
  const ids = role === 'user' ? answered(parts, calls, number) : called(parts, number);
  const origin: Origin = {
    message: native,
    ...(ids.some((id) => id !== '') && { ids }),
    ...position,
  };
  const all = [...parts.keys()];
  const responses = role === 'user' ? all.filter((index) => isResponse(parts[index])) : [];
  const others = all.filter((index) => !responses.includes(index));
  if (responses.length === 0) return [messageOf(role, origin, place)];
  if (others.length === 0) return [messageOf('tool', origin, place)];
  return [
    messageOf('tool', { ...origin, parts: responses }, place),
    messageOf('user', { ...origin, parts: others }, place),
  ];
}

function called(parts: readonly unknown[], number: number): string[] {
  return parts.map((part, index) => {
    if (!isFields(part) || !isFields(part.functionCall)) return '';
    return ownId(part.functionCall) ?? madeUpId(number, index);
  });
}

/** A response that answers no open call keeps its own id, by which core refuses it. */
function answered(parts: readonly unknown[], calls: OpenCalls, number: number): string[] {
  const ids = calls.answeredBy(parts);
  return parts.map((part, index) => {
    if (!isFields(part) || !isFields(part.functionResponse)) return '';
    return ids[index] ?? ownId(part.functionResponse) ?? madeUpId(number, index);
  });
}

function ownId({ id }: Fields): string | undefined {
  return typeof id === 'string' && id !== '' ? id : undefined;
}

function messageOf(role: Message['role'], origin: Origin, place: string): Message {
  const { message: native } = origin;
  const slots = slotsOf(origin, role, place);
  return google.message(role, slots, origin, {
    // A list of one text is a list all the same.
    ...(Array.isArray(native) && { content: slots.map(({ part }) => part) as Message['content'] as string }),
    ...createdAt(isFields(native) ? (native as Fields).timestamp : undefined),
  });
}
