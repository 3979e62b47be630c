import { type ReportedUsage, reportedUsage } from '@ctx/conversation';
import type { Wait } from '@ctx/core';
import { overflowKind } from '@ctx/core/codec';
import { createParser } from 'eventsource-parser';
import { lateOverflowIn, overflowIn, saysNothing } from './answer-overflow.js';
import {
  type AnswerReader,
  JsonLinesReader,
  JsonReader,
  parsed,
  type StreamReader,
  type Told,
} from './answer-reader.js';
import { AwsEventReader } from './aws-event-reader.js';

/** Characters of an error that are read. */
const longestError = 64 * 1024;
/** Ms for which the beginning of an answer may be held back, to see whether it is an error. */
const longestHold = 1_000;

/** What became of a request: an answer for the caller, or the error of a provider that the request was too large for. */
export type Watched =
  | { readonly response: Response }
  | { readonly response: Response; readonly overflow: unknown };

/**
 * Looks at a response on its way. Its bytes pass as they come, at the pace of the reader; `told` hears the last usage that has
 * passed when the answer ends, breaks or is no longer read. An overflow is seen before the first word of an answer.
 */
export async function watched(response: Response, told: Told, wait: Wait): Promise<Watched> {
  if (!response.ok) return refused(response);
  if (response.body === null) return { response };
  const reader = readerOf(response.headers.get('content-type') ?? '', told);
  return reader === undefined ? { response } : stream(response, reader, wait);
}

function readerOf(type: string, told: Told): StreamReader | undefined {
  if (type.includes('text/event-stream')) return new EventReader(told);
  if (type.includes('amazon.eventstream')) return new AwsEventReader(told);
  if (type.includes('ndjson')) return new JsonLinesReader(told);
  return type.includes('json') ? new JsonReader(told) : undefined;
}

async function refused(response: Response): Promise<Watched> {
  if (response.body === null) return { response };
  const [kept, read] = response.body.tee();
  const text = await textUpTo(read, longestError);
  const copy = sameResponse(response, kept);
  const error = { status: response.status, message: text };
  return overflowKind(error) === undefined ? { response: copy } : { response: copy, overflow: error };
}

async function textUpTo(body: ReadableStream<Uint8Array>, longest: number): Promise<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    while (text.length < longest) {
      const { done, value } = await reader.read();
      if (done) break;
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    // The caller meets the same failure in its own copy.
  }
  reader.cancel().catch(() => {});
  return text;
}

async function stream(response: Response, events: StreamReader, wait: Wait): Promise<Watched> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const held: Piece[] = [];
  let cancel = () => {};
  const late = new Promise<'late'>((resolve) => {
    cancel = wait(longestHold, () => resolve('late'));
  });
  let pending: Promise<Piece> | undefined;
  while (events.isPrelude) {
    pending ??= reader.read().catch((error: unknown) => ({ error }));
    const piece = await Promise.race([pending, ...(held.length > 0 ? [late] : [])]);
    if (piece === 'late') break;
    pending = undefined;
    held.push(piece);
    if ('error' in piece || piece.done) break;
    events.piece(piece.value);
  }
  cancel();
  const pieces = pending === undefined ? held : [...held, pending];
  const passed = passing(response, reader, pieces, events, held.length);
  return events.overflow === undefined
    ? { response: passed }
    : { response: passed, overflow: events.overflow };
}

type Piece =
  | Awaited<ReturnType<ReadableStreamDefaultReader<Uint8Array>['read']>>
  | { readonly error: unknown };

/**
 * A response whose bytes pass at the pace of the reader.
 * @param first pieces that were read already
 * @param seen how many of them the reader has been told
 */
function passing(
  response: Response,
  reader: ReadableStreamDefaultReader<Uint8Array>,
  first: (Piece | Promise<Piece>)[],
  told: AnswerReader,
  seen = 0,
): Response {
  const waiting = [...first];
  let at = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece = await (waiting.shift() ?? reader.read().catch((error: unknown) => ({ error })));
        at += 1;
        if ('error' in piece) {
          told.end();
          controller.error(piece.error);
          return;
        }
        if (piece.done) {
          told.end();
          controller.close();
          return;
        }
        if (at > seen) told.piece(piece.value);
        controller.enqueue(piece.value);
      },
      // Many agents stop reading after the event that ends an answer, not at the end of the stream.
      cancel(reason) {
        told.end();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  return sameResponse(response, body);
}

/** A response with another body and all else the same. */
function sameResponse(response: Response, body: ReadableStream<Uint8Array>): Response {
  const { status, statusText, headers } = response;
  const copy = new Response(body, { status, statusText, headers });
  for (const key of ['url', 'redirected', 'type'] as const)
    Object.defineProperty(copy, key, { value: response[key], configurable: true });
  return copy;
}

/** Reads the events of a stream for an overflow at its beginning and for the usage that it reports. */
class EventReader implements StreamReader {
  overflow: unknown;
  isPrelude = true;
  #usage: ReportedUsage | undefined;
  readonly #decoder = new TextDecoder();
  readonly #parser = createParser({ onEvent: ({ data, event }) => this.#read(data, event) });

  constructor(readonly told: Told) {}

  piece(bytes: Uint8Array): void {
    try {
      this.#parser.feed(this.#decoder.decode(bytes, { stream: true }));
    } catch {
      this.isPrelude = false;
    }
  }

  end(): void {
    if (this.#usage !== undefined) this.told.usage(this.#usage);
  }

  #read(data: string, event: string | undefined): void {
    // Of a long answer only few events say what it took, or that it failed. A text has no quote without a backslash before it.
    if (!this.isPrelude && this.told.answer === undefined && !/usage|"error"|context_window/.test(data))
      return;
    const value = parsed(data);
    this.told.answer?.(value);
    if (this.isPrelude) {
      this.overflow = overflowIn(value);
      this.isPrelude = this.overflow === undefined && saysNothing(value, event);
    } else {
      const overflow = lateOverflowIn(value);
      if (overflow !== undefined) this.told.overflow(overflow);
    }
    const usage = reportedUsage(value);
    // Anthropic says of the cache and of thinking only where a stream begins.
    if (usage !== undefined) this.#usage = { ...this.#usage, ...usage };
  }
}
