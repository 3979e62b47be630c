import { maxDepth } from './depth.js';
import { withNumbersOf } from './exact-json.js';

/** True for an object of a built-in class, also of another realm. */
function isA<Type>(name: string, value: unknown): value is Type {
  return Object.prototype.toString.call(value) === `[object ${name}]`;
}

/** Bytes as they were when they were first read: a picture is turned into text once, not for each request. */
const texts = new WeakMap<object, string>();

/** How many bytes one call of `String.fromCharCode` takes; some engines fail at 65,536 arguments. */
const pieceBytes = 8_192;

function base64Of(bytes: ArrayBufferView | ArrayBuffer): string {
  const known = texts.get(bytes);
  if (known !== undefined) return known;
  const view = ArrayBuffer.isView(bytes)
    ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    : new Uint8Array(bytes);
  let binary = '';
  for (let at = 0; at < view.length; at += pieceBytes)
    binary += String.fromCharCode(...view.subarray(at, at + pieceBytes));
  const text = btoa(binary);
  texts.set(bytes, text);
  return text;
}

/**
 * A value without bytes and URL objects: base64 and the text of the URL are in their place. Itself where it has none. What is deeper than
 * 1,000 levels, or in a value that contains itself, stays as it is.
 */
export function withoutBytes(value: unknown): unknown {
  return copyOf(value, 0, new Map());
}

/** @param known what values are replaced by; a value that is being copied by itself */
function copyOf(value: unknown, level: number, known: Map<object, unknown>): unknown {
  if (ArrayBuffer.isView(value) || isA<ArrayBuffer>('ArrayBuffer', value)) return base64Of(value);
  if (isA<URL>('URL', value)) return value.href;
  if (typeof value !== 'object' || value === null || level > maxDepth) return value;
  if (known.has(value)) return known.get(value);
  known.set(value, value);
  const entries = Object.entries(value).map(
    ([key, inner]) => [key, copyOf(inner, level + 1, known), inner] as const,
  );
  if (entries.every(([, changed, inner]) => changed === inner)) return value;
  const copy = withNumbersOf(
    value,
    Array.isArray(value) ? entries.map(([, changed]) => changed) : Object.fromEntries(entries),
  );
  known.set(value, copy);
  return copy;
}

/**
 * The same object, which JSON writes in another form. For what a codec keeps in `native`: a snapshot is JSON, and bytes or the objects of
 * an SDK are not.
 * @default with base64 in place of bytes
 */
export function writtenAsJson<T extends object>(
  value: T,
  form: () => unknown = () => withoutBytes(value),
): T {
  return Object.defineProperty(value, 'toJSON', { value: form });
}
