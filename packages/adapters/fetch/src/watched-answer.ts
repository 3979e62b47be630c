import { type ReportedUsage, reportedUsage } from '@ctx/conversation';
import { isOverflowError, type Wait } from '@ctx/core';
import { createParser } from 'eventsource-parser';
import {
  type AnswerReader,
  JsonLinesReader,
  jsonReader,
  parsed,
  type StreamReader,
} from './answer-reader.js';
import { AwsEventReader } from './aws-event-reader.js';

/** Characters of an error that are read. */
const longestError = 64 * 1024;
/** Ms for which the beginning of a stream may be held back, to see whether it is an error. */
const longestHold = 1_000;
/** Events with which a stream begins before the model says anything. */
const preludes = ['ping', 'response.created', 'response.in_progress', 'response.queued'];

/** What became of a request: an answer for the caller, or the error of a provider that the request was too large for. */
export type Watched =
  | { readonly response: Response }
  | { readonly response: Response; readonly overflow: unknown };

/**
 * Looks at a response on its way. Its bytes pass as they come, at the pace of the reader; `onUsage` is told the last usage that the
 * answer reports when it has passed. An overflow is seen before the first word of an answer.
 */
export async function watched(
  response: Response,
  onUsage: (usage: ReportedUsage) => void,
  wait: Wait,
): Promise<Watched> {
  if (!response.ok) return refused(response);
  const type = response.headers.get('content-type') ?? '';
  if (response.body === null) return { response };
  const events = streamReaderOf(type, onUsage);
  if (events !== undefined) return stream(response, events, wait);
  if (type.includes('json'))
    return { response: passing(response, response.body.getReader(), [], jsonReader(onUsage)) };
  return { response };
}

function streamReaderOf(type: string, onUsage: (usage: ReportedUsage) => void): StreamReader | undefined {
  if (type.includes('text/event-stream')) return new EventReader(onUsage);
  if (type.includes('amazon.eventstream')) return new AwsEventReader(onUsage);
  return type.includes('ndjson') ? new JsonLinesReader(onUsage) : undefined;
}

async function refused(response: Response): Promise<Watched> {
  if (response.status === 429 || response.status >= 500 || response.body === null) return { response };
  const [kept, read] = response.body.tee();
  const text = await textUpTo(read, longestError);
  const copy = sameResponse(response, kept);
  const error = { status: response.status, message: text };
  return isOverflowError(error) ? { response: copy, overflow: error } : { response: copy };
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
      cancel: (reason) => reader.cancel(reason),
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

  constructor(readonly onUsage: (usage: ReportedUsage) => void) {}

  piece(bytes: Uint8Array): void {
    try {
      this.#parser.feed(this.#decoder.decode(bytes, { stream: true }));
    } catch {
      this.isPrelude = false;
    }
  }

  end(): void {
    if (this.#usage !== undefined) this.onUsage(this.#usage);
  }

  #read(data: string, event: string | undefined): void {
    // Of a long answer only few events say what it took.
    if (!this.isPrelude && !data.includes('usage')) return;
    const value = parsed(data);
    const { type = event, error, response } = isFields(value) ? value : {};
    if (this.isPrelude && !preludes.includes(String(type))) {
      this.isPrelude = false;
      const failure =
        error ?? (type === 'response.failed' && isFields(response) ? response.error : undefined);
      if (failure !== undefined && failure !== null && isOverflowError({ error: failure }))
        this.overflow = { error: failure };
    }
    this.#usage = reportedUsage(value) ?? this.#usage;
  }
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
