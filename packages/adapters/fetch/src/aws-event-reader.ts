import { type ReportedUsage, reportedUsage } from '@ctx/conversation';
import { isOverflowError } from '@ctx/core/codec';
import { lateOverflowIn } from './answer-overflow.js';
import { parsed, type StreamReader, type Told } from './answer-reader.js';

/** Bytes of a message before its headers: its length, that of the headers, and a checksum. */
const preludeLength = 12;
/** Bytes of the checksum at its end. */
const checksumLength = 4;
/** Bytes. No message of AWS is longer; what says so is something else. */
const longestMessage = 24 * 1024 * 1024;
/** The type of a header that is a text. No other says what is looked for. */
const textType = 7;

/** Reads the messages of an event stream of AWS, as Bedrock answers: an error at its beginning, and the usage that it reports. */
export class AwsEventReader implements StreamReader {
  isPrelude = true;
  overflow: unknown;
  #bytes = new Uint8Array();
  #usage: ReportedUsage | undefined;
  #isBroken = false;

  constructor(readonly told: Told) {}

  piece(bytes: Uint8Array): void {
    if (this.#isBroken) return;
    const joined = new Uint8Array(this.#bytes.length + bytes.length);
    joined.set(this.#bytes);
    joined.set(bytes, this.#bytes.length);
    let rest = joined;
    for (let length = lengthOf(rest); length !== undefined && !this.#isBroken; length = lengthOf(rest)) {
      if (length < preludeLength + checksumLength || length > longestMessage) this.#stop();
      else if (length > rest.length) break;
      else {
        this.#read(rest.subarray(0, length));
        rest = rest.subarray(length);
      }
    }
    this.#bytes = this.#isBroken ? new Uint8Array() : rest.slice();
  }

  end(): void {
    if (this.#usage !== undefined) this.told.usage(this.#usage);
  }

  #stop(): void {
    this.#isBroken = true;
    this.isPrelude = false;
  }

  #read(message: Uint8Array): void {
    const view = viewOf(message);
    const payload = preludeLength + view.getUint32(4);
    const value = parsed(new TextDecoder().decode(message.subarray(payload, -checksumLength)));
    const isException = headerOf(message, payload, ':message-type') === 'exception';
    const full = isException && isOverflowError(value) ? value : lateOverflowIn(modelEvent(value) ?? value);
    if (this.isPrelude) this.overflow = full;
    else if (full !== undefined) this.told.overflow(full);
    this.isPrelude &&= full === undefined && isRoleOnly(value);
    const usage = reportedUsage(value) ?? reportedUsage(modelEvent(value));
    if (usage !== undefined) this.#usage = { ...this.#usage, ...usage };
  }
}

/** The event with which Converse begins to stream. */
const isRoleOnly = (value: unknown) => Object.keys(value ?? {}).every((key) => key === 'role' || key === 'p');

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const lengthOf = (bytes: Uint8Array) =>
  bytes.length < preludeLength ? undefined : viewOf(bytes).getUint32(0);

/** A header that is a text; `undefined` if there is none of that name before another kind of header. */
function headerOf(message: Uint8Array, end: number, name: string): string | undefined {
  const view = viewOf(message);
  const textAt = (at: number, length: number) => new TextDecoder().decode(message.subarray(at, at + length));
  for (let at = preludeLength; at + 1 < end && at < message.length; ) {
    const nameLength = view.getUint8(at);
    const key = textAt(at + 1, nameLength);
    const kind = at + 1 + nameLength;
    if (kind + 3 > end || view.getUint8(kind) !== textType) return undefined;
    const length = view.getUint16(kind + 1);
    if (key === name) return textAt(kind + 3, length);
    at = kind + 3 + length;
  }
  return undefined;
}

/** An event in the model's own form, as InvokeModel streams it. */
function modelEvent(value: unknown): unknown {
  const { bytes } = (value ?? {}) as { bytes?: unknown };
  try {
    return typeof bytes === 'string' ? parsed(atob(bytes)) : undefined;
  } catch {
    return undefined;
  }
}
