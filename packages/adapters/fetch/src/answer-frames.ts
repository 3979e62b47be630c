import { parseJson } from '@ctx/core/codec';
import { createParser } from 'eventsource-parser';

/** Is given the JSON texts in an answer, one after another, with the name of the event if it has one. */
export type TakeText = (text: string, name?: string) => void;

/** Finds the JSON texts in the bytes of an answer. `piece` throws for bytes of another form. */
export interface Frames {
  piece(bytes: Uint8Array): void;
  /** No more bytes follow. */
  end(): void;
}

/** Characters of a text that is read; a longer one is not. */
const longestText = 32 * 1024 * 1024;

/** How the answers of a content type are divided; `undefined` for one that holds no JSON. */
export function framesOf(type: string): ((take: TakeText) => Frames) | undefined {
  if (type.includes('text/event-stream')) return serverSentEvents;
  if (type.includes('amazon.eventstream')) return awsEvents;
  if (type.includes('ndjson')) return (take) => separated(take, '\n');
  return type.includes('json') ? (take) => separated(take) : undefined;
}

function serverSentEvents(take: TakeText): Frames {
  const decoder = new TextDecoder();
  const parser = createParser({ onEvent: ({ data, event }) => take(data, event) });
  return { piece: (bytes) => parser.feed(decoder.decode(bytes, { stream: true })), end() {} };
}

/** A text in each line, as Ollama streams, or one in all. */
function separated(take: TakeText, separator?: string): Frames {
  const decoder = new TextDecoder();
  let left = '';
  return {
    piece(bytes) {
      if (left.length > longestText) return;
      left += decoder.decode(bytes, { stream: true });
      const texts = separator === undefined ? [left] : left.split(separator);
      left = texts.pop() ?? '';
      for (const text of texts) take(text);
    },
    end() {
      if (left.length <= longestText) take(left);
      left = '';
    },
  };
}

/** Bytes of a message before its headers: its length, that of the headers, and a checksum. */
const preludeLength = 12;
/** Bytes of the checksum at its end. */
const checksumLength = 4;
/** Bytes. No message of AWS is longer; what says so is something else. */
const longestMessage = 24 * 1024 * 1024;

/** The event stream of AWS, as Bedrock answers. */
export function awsEvents(take: TakeText): Frames {
  let left = new Uint8Array();
  return {
    piece(bytes) {
      const all = new Uint8Array(left.length + bytes.length);
      all.set(left);
      all.set(bytes, left.length);
      left = all;
      while (left.length >= preludeLength) {
        const view = new DataView(left.buffer, left.byteOffset, left.byteLength);
        const length = view.getUint32(0);
        if (length < preludeLength + checksumLength || length > longestMessage)
          throw new RangeError('These bytes are not an event stream of AWS');
        if (length > left.length) return;
        const payload = preludeLength + view.getUint32(4);
        const headers = textOf(left.subarray(preludeLength, payload));
        const text = textOf(left.subarray(payload, length - checksumLength));
        take(modelText(text), headers.includes('exception') ? 'exception' : undefined);
        left = left.subarray(length);
      }
    },
    end() {},
  };
}

const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** InvokeModel wraps the events of the model. */
function modelText(text: string): string {
  const { bytes } = (parsed(text) ?? {}) as { bytes?: unknown };
  try {
    return typeof bytes === 'string' ? atob(bytes) : text;
  } catch {
    return text;
  }
}

/** What a text of JSON says; `undefined` for another text. */
export function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
