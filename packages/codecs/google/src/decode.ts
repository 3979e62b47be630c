import type { Message, Part } from '@ctx/core';
import {
  createdAt,
  type DecodeContext,
  type Fields,
  fieldsOf,
  isFields,
  nativeInvalid,
} from '@ctx/core/codec';
import { carriedBy } from './carried.js';
import type { GoogleContent, GoogleRequest } from './content.js';
import { madeUpId } from './made-up-id.js';
import { isResponse, type PartRole, partOf } from './native-to-part.js';
import { OpenCalls } from './open-calls.js';
import type { Native, Origin } from './origin.js';
import { listOf, systemParts } from './system.js';

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
  let last: PartRole | undefined = after.at(-1)?.role;
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
  return messageOf('system', { codec: 'google', message: system, system: true }, 'systemInstruction');
}

/** @throws ValidationError if the value is no content of a known role */
export function roleOf(value: unknown, place: string): 'user' | 'assistant' {
  const { role } = fieldsOf(value, place, 'A content is an object { role, parts }.');
  if (role === 'model') return 'assistant';
  if (role === undefined || role === 'user' || role === 'function') return 'user';
  throw nativeInvalid(
    'The role is not known',
    `${place}.role`,
    role,
    'Use user or model; function for responses.',
  );
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
    codec: 'google',
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

function messageOf(role: PartRole, origin: Origin, place: string): Message {
  const { message: native } = origin;
  const natives = partsIn(origin, place);
  const indices = indicesOf(origin, natives);
  const parts = partsFrom(role, origin, place);
  const carries = carriedBy(origin, natives, indices, parts);
  const isText = typeof native === 'string' && native !== '';
  return {
    role,
    content: isText ? native : parts,
    ...createdAt(isFields(native) ? (native as Fields).timestamp : undefined),
    native: carries.length === 0 ? origin : { ...origin, carries },
  } as Message;
}

/** The parts for an origin, one for each native part. Where nothing is said they are opaque. */
export function partsFrom(role: PartRole, origin: Origin, place: string): Part[] {
  const natives = partsIn(origin, place);
  const indices = indicesOf(origin, natives);
  const parts = indices.map((index) =>
    partOf(natives[index], role, origin.ids?.[index] ?? '', partPlace(origin, place, index)),
  );
  if (parts.length === 0) return [{ type: 'opaque', value: nothingIn(origin) }];
  const silent = parts.every((part) => part.type === 'text' && part.text === '');
  return silent ? indices.map((index) => ({ type: 'opaque', value: natives[index] })) : parts;
}

function nothingIn({ message }: Origin): unknown {
  return isFields(message) ? ((message as GoogleContent).parts ?? null) : message;
}

function partPlace({ message, system }: Origin, place: string, index: number): string {
  if (system !== true) return `${place}.parts[${index}]`;
  if (Array.isArray(message)) return `${place}[${index}]`;
  return isFields(message) && 'parts' in message ? `${place}.parts[${index}]` : place;
}

export function indicesOf(origin: Pick<Origin, 'parts'>, natives: readonly unknown[]): readonly number[] {
  return origin.parts ?? [...natives.keys()];
}

/** The parts of a content or of a system instruction. */
export function partsIn(
  { message, system }: Pick<Origin, 'message' | 'system'>,
  place: string,
): readonly unknown[] {
  if (system === true) return systemParts(message, place);
  const native = fieldsOf(message, place, 'A content is an object { role, parts }.');
  return listOf(native, place);
}
