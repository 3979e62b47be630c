import { type Fields, isFields } from '../base/native.js';
import { type Message, messageSchema, partsOf, type ToolOutput } from '../transcript/message.js';
import type { Snapshot } from './snapshot.js';

type Kept = Snapshot['messages'][number];

/** Messages for JSON, and the native forms they share. */
export interface PackedMessages {
  readonly messages: readonly unknown[];
  readonly forms: readonly unknown[];
}

/** Keys of references to a message's content: to a text, or to a value written as JSON. */
const [toText, toValue] = ['ctx:text', 'ctx:value'] as const;

/**
 * Packs messages for JSON. A native message mostly repeats its message's content, so each repeated text becomes a
 * reference. The rest is the native form. Many messages share a form and name it by number. Times are in ms since the
 * previous message.
 */
export function packedMessages(kept: readonly Kept[]): PackedMessages {
  const forms = new Map<string, number>();
  let time = 0;
  const messages = kept.map(({ id, message, createdAt, place }) => {
    const form = formOf(message);
    const { native, ...rest } = message;
    const json = form === undefined ? undefined : JSON.stringify(form);
    if (json !== undefined && !forms.has(json)) forms.set(json, forms.size);
    const isOwn = createdAt === message.createdAt;
    const after = createdAt === undefined ? null : createdAt - time;
    time = createdAt ?? time;
    return {
      id,
      message: json === undefined ? message : rest,
      ...(json !== undefined && { form: forms.get(json) }),
      ...(!isOwn && { after }),
      ...(place && { place }),
    };
  });
  return { messages, forms: [...forms.keys()].map((json) => JSON.parse(json)) };
}

/** Reverses `packedMessages`. Values that are not packed messages are returned unchanged. */
export function unpackedMessages(messages: readonly unknown[], forms: unknown): unknown[] {
  const known: readonly unknown[] = Array.isArray(forms) ? forms : [];
  let time = 0;
  return messages.map((value) => {
    if (!isFields(value)) return value;
    const { id, form, message, after, place } = value;
    const own = isFields(message) && typeof message.createdAt === 'number' ? message.createdAt : undefined;
    const createdAt = typeof after === 'number' ? time + after : after === null ? undefined : own;
    time = createdAt ?? time;
    const whole = typeof form === 'number' ? withNative(message, known[form]) : message;
    return {
      id,
      message: whole,
      ...(createdAt !== undefined && { createdAt }),
      ...(place !== undefined && { place }),
    };
  });
}

/** The native value with references instead of repeated content; undefined if it repeats nothing. */
function formOf(message: Message): unknown {
  if (!isFields(message.native)) return undefined;
  const { texts, values } = contentOf(message);
  let refers = false;
  let clashes = false;
  const visit = (value: unknown): unknown => {
    if (typeof value === 'string') return refer(toText, value === '' ? -1 : texts.indexOf(value), value);
    if (Array.isArray(value)) return value.map(visit);
    if (!isPlain(value)) return value;
    clashes ||= toText in value || toValue in value;
    const json = values.length === 0 ? '' : JSON.stringify(value);
    const inner = () => Object.fromEntries(Object.entries(value).map(([key, one]) => [key, visit(one)]));
    const at = json === '' ? -1 : values.indexOf(json);
    return at < 0 ? inner() : refer(toValue, at, value);
  };
  const refer = (key: string, at: number, value: unknown) => {
    if (at < 0) return value;
    refers = true;
    return { [key]: at };
  };
  const form = visit(ownJson(message.native));
  return refers && !clashes ? form : undefined;
}

function withNative(message: unknown, form: unknown): unknown {
  const parsed = messageSchema.safeParse(message);
  if (!parsed.success) return message;
  const { texts, values } = contentOf(parsed.data);
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    if (!isFields(value)) return value;
    const { [toText]: text, [toValue]: json } = value;
    if (typeof text === 'number') return texts[text];
    if (typeof json === 'number') return JSON.parse(values[json] || 'null');
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, visit(one)]));
  };
  return { ...(message as Message), native: visit(form) };
}

/** The content of a message's parts, in order: texts, ids and names, and the inputs of calls as JSON. */
function contentOf(message: Message): { readonly texts: string[]; readonly values: string[] } {
  const texts: string[] = [];
  const values: string[] = [];
  for (const part of partsOf(message)) {
    switch (part.type) {
      case 'text':
        texts.push(part.text);
        break;
      case 'reasoning':
        texts.push(part.text, part.encrypted ?? '');
        break;
      case 'image':
        texts.push(part.image);
        break;
      case 'file':
        texts.push(part.data, part.filename ?? '');
        break;
      case 'tool-call': {
        const { toolCallId, toolName, input } = part;
        const json = typeof input === 'string' ? '' : (JSON.stringify(input) ?? '');
        texts.push(toolCallId, toolName, typeof input === 'string' ? input : json);
        values.push(json);
        break;
      }
      case 'tool-result':
        texts.push(part.toolCallId, part.toolName, ...outputTexts(part.output));
        break;
      case 'opaque':
        break;
      default:
        part satisfies never;
    }
  }
  return { texts, values };
}

function outputTexts(output: ToolOutput): string[] {
  if (typeof output === 'string') return [output];
  switch (output.type) {
    case 'text':
    case 'error-text':
      return [output.value];
    case 'json':
    case 'error-json':
      return [JSON.stringify(output.value) ?? ''];
    case 'content':
      return output.value.map((part) => {
        if (part.type === 'text') return part.text;
        if (part.type === 'image') return part.image;
        return part.type === 'file' ? part.data : '';
      });
    default:
      return output satisfies never;
  }
}

/** What JSON writes for a native value: a codec may give it a form of its own. */
function ownJson(native: Fields): unknown {
  return typeof native.toJSON === 'function' ? native.toJSON('native') : native;
}

/** False for bytes, URLs and other class instances, because JSON writes them by their own rules. */
function isPlain(value: unknown): value is Record<string, unknown> {
  if (!isFields(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && typeof value.toJSON !== 'function';
}
