import type {
  FilePart,
  ImagePart,
  Message,
  Part,
  ReasoningPart,
  ToolCallPart,
  ToolResultPart,
} from '@ctx/core';
import { equal, type Fields, isFields, jsonOf } from '@ctx/core/codec';
import { isMadeUp } from './made-up-id.js';
import { outputPart } from './native-to-part.js';
import { responseOf } from './response.js';

/** The field of a native part that holds an image or file; undefined for a data URL that is not base64. */
function mediaField(part: ImagePart | FilePart): Fields | undefined {
  const data = part.type === 'image' ? part.image : part.data;
  const displayName =
    part.type === 'file' && part.filename !== undefined ? { displayName: part.filename } : {};
  const mimeType = part.mediaType ?? 'image/png';
  const [, urlType, base64] = /^data:([^;,]+)(?:;[^,]*)?;base64,(.*)$/is.exec(data) ?? [];
  if (base64 !== undefined) return { inlineData: { mimeType: urlType, data: base64, ...displayName } };
  if (/^data:/i.test(data)) return undefined;
  if (hasScheme(data)) return { fileData: { mimeType, fileUri: data, ...displayName } };
  return { inlineData: { mimeType, data, ...displayName } };
}

/** No base64 has a colon. */
function hasScheme(data: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(data);
}

/**
 * The native part of a part; undefined if the API has none for it in a content of that role.
 * @param old the native part that it was made from before it was edited; its other fields stay
 */
export function nativeOf(part: Part, role: Message['role'], old?: unknown): unknown {
  const fields = isFields(old) ? old : undefined;
  switch (part.type) {
    case 'text':
      if (part.text === '') return undefined;
      return typeof old === 'string' ? part.text : { ...withoutData(fields), text: part.text };
    case 'image':
    case 'file':
      return role === 'system' ? undefined : mediaNative(part, fields);
    case 'reasoning':
      return reasoning(part, fields);
    case 'tool-call':
      return call(part, fields);
    case 'tool-result':
      return response(part, fields);
    case 'opaque':
      return old !== undefined && equal(part.value, old) ? old : undefined;
    default:
      return part satisfies never;
  }
}

/** Fields that only suit the data that they were given for. */
const dataFields = [
  'text',
  'thought',
  'inlineData',
  'fileData',
  'videoMetadata',
  'mediaResolution',
  'mediaProcessing',
  'functionCall',
  'functionResponse',
];

function withoutData(old: Fields = {}): Fields {
  return Object.fromEntries(Object.entries(old).filter(([field]) => !dataFields.includes(field)));
}

function mediaNative(part: ImagePart | FilePart, old?: Fields): Fields | undefined {
  const field = mediaField(part);
  return field === undefined ? undefined : { ...withoutData(old), ...field };
}

/** Only the provider knows what belongs to a signature, so the reasoning of others has no form. */
function reasoning({ text }: ReasoningPart, old?: Fields): Fields | undefined {
  if (old?.thought !== true || typeof old.text !== 'string') return undefined;
  return text === old.text ? old : { ...old, text };
}

function call({ toolCallId, toolName, input }: ToolCallPart, old?: Fields): Fields {
  const before = isFields(old?.functionCall) ? old.functionCall : undefined;
  return {
    ...(before === undefined ? {} : old),
    functionCall: { ...before, ...idOf(toolCallId, before), name: toolName, args: argsOf(input) },
  };
}

/** The API only takes objects, so text that is not JSON, and other values, are wrapped in one. */
function argsOf(input: unknown): unknown {
  jsonOf(input, 'input');
  if (isFields(input)) return input;
  return input === undefined || input === null || input === '' ? {} : { input };
}

function response(part: ToolResultPart, old?: Fields): Fields {
  const before = isFields(old?.functionResponse) ? old.functionResponse : undefined;
  const { parts: media, ...rest } = before ?? {};
  const items =
    typeof part.output !== 'string' && part.output.type === 'content' ? part.output.value : undefined;
  const parts = mediaOf(items ?? [], media).filter((one) => one !== undefined);
  const hadParts = Array.isArray(media) && items !== undefined;
  return {
    ...(before === undefined ? {} : old),
    functionResponse: {
      ...rest,
      ...idOf(part.toolCallId, before),
      name: part.toolName,
      response: responseOf(part, before?.response),
      ...((hadParts || parts.length > 0) && { parts }),
    },
  };
}

/** The media of a result, each the old part if it is equal; undefined for what the API has no form for. */
export function mediaOf(items: readonly Part[], old: unknown): unknown[] {
  const natives: readonly unknown[] = Array.isArray(old) ? old : [];
  return items
    .filter(({ type }) => type !== 'text')
    .map((part, index) => {
      const native = natives[index];
      if (native !== undefined && equal(part, outputPart(native, 'native.message'))) return native;
      return part.type === 'image' || part.type === 'file' ? mediaField(part) : undefined;
    });
}

/** A part keeps the id that it has or has not; an id that was made up here is not sent. */
function idOf(id: string, before: Fields | undefined): Fields {
  return before !== undefined || isMadeUp(id) ? {} : { id };
}
