import type { FilePart, ImagePart, Message, OpaquePart, Part, ToolResultPart } from '@ctx/core';
import { type Fields, fieldsOf, isFields, nameAt, nativeInvalid, refuseTooDeep } from '@ctx/core/codec';
import { isFailure, outputOf, responseText } from './response.js';

/** The fields of which a part has one. Any other part is opaque. */
const dataFields = [
  'text',
  'inlineData',
  'fileData',
  'functionCall',
  'functionResponse',
  'executableCode',
  'codeExecutionResult',
  'toolCall',
  'toolResponse',
];

/**
 * The core part of a native one. What does not belong in a message of the role is opaque.
 * @param id of the call, if the part is a call or a response
 */
export function partOf(native: unknown, role: Message['role'], id: string, place: string): Part {
  if (role === 'system' && typeof native === 'string') return { type: 'text', text: native };
  const part = fieldsOf(native, place, 'A part is an object { text } or { functionCall }.');
  const opaque: OpaquePart = { type: 'opaque', value: native };
  const [data, ...others] = dataFields.filter((field) => isThere(part[field]));
  if (role === 'tool') return resultPart(part, id, place);
  if (data === undefined || others.length > 0) return opaque;
  if (data === 'text') return textPart(part, role, place) ?? opaque;
  if (role === 'system') return opaque;
  if (data === 'functionCall') return role === 'assistant' ? callPart(part, id, place) : opaque;
  return mediaPart(part) ?? opaque;
}

/** True for a part that belongs in a tool message. */
export function isResponse(part: unknown): part is Fields {
  return isFields(part) && isThere(part.functionResponse);
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function textPart(part: Fields, role: Message['role'], place: string): Part | undefined {
  const { text, thought, thoughtSignature } = part;
  if (typeof text !== 'string')
    throw nativeInvalid('A string was expected', `${place}.text`, text, 'A text is a string.');
  if (thought !== true) return { type: 'text', text };
  if (role !== 'assistant') return undefined;
  const encrypted =
    text === '' && typeof thoughtSignature === 'string' ? { encrypted: thoughtSignature } : {};
  return { type: 'reasoning', text, ...encrypted };
}

/** An image or a file; undefined without data or a type. */
function mediaPart({ inlineData, fileData }: Fields): ImagePart | FilePart | undefined {
  const source = isFields(inlineData) ? inlineData : isFields(fileData) ? fileData : {};
  const data = isFields(inlineData) ? source.data : source.fileUri;
  const { mimeType: mediaType, displayName } = source;
  if (typeof data !== 'string' || data === '' || typeof mediaType !== 'string') return undefined;
  if (mediaType.startsWith('image/')) return { type: 'image', image: data, mediaType };
  return { type: 'file', data, mediaType, ...(typeof displayName === 'string' && { filename: displayName }) };
}

function callPart({ functionCall }: Fields, toolCallId: string, place: string): Part {
  const at = `${place}.functionCall`;
  const remedy = 'A function call is { name, args }.';
  const call = fieldsOf(functionCall, at, remedy);
  refuseTooDeep(call.args, `${at}.args`);
  return {
    type: 'tool-call',
    toolCallId,
    toolName: nameAt(call, 'name', at, remedy),
    input: call.args ?? {},
  };
}

function resultPart({ functionResponse }: Fields, toolCallId: string, place: string): ToolResultPart {
  const at = `${place}.functionResponse`;
  const remedy = 'A function response is { name, response }.';
  const answer = fieldsOf(functionResponse, at, remedy);
  const { response, parts } = answer;
  refuseTooDeep(response, `${at}.response`);
  const result = {
    type: 'tool-result' as const,
    toolCallId,
    toolName: nameAt(answer, 'name', at, remedy),
    ...(isFailure(response) && { isError: true }),
  };
  if (!isThere(parts)) return { ...result, output: outputOf(response) };
  if (!Array.isArray(parts))
    throw nativeInvalid('A list was expected', `${at}.parts`, parts, 'Give a list of parts.');
  const text = responseText(response);
  const media = parts.map((part: unknown, index) => outputPart(part, `${at}.parts[${index}]`));
  const value = [...(text === undefined ? [] : [{ type: 'text' as const, text }]), ...media];
  return { ...result, output: { type: 'content', value } };
}

/** The media of a function response: an image, a file, or whatever else the API adds. */
export function outputPart(part: unknown, place: string): ImagePart | FilePart | OpaquePart {
  const fields = fieldsOf(part, place, 'A part of a response is { inlineData } or { fileData }.');
  return mediaPart(fields) ?? { type: 'opaque', value: part };
}
