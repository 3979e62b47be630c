import { isReadEndpoint } from './request-purpose.js';
import { type FetchCall, methodOf, urlOf } from './request-text.js';
import { largestBody } from './unpacking.js';

type Pieces = AsyncIterator<unknown>;

/**
 * The same call with the bytes of its body in the place of a stream, which can be read only once. A longer body than is read stays a stream,
 * and so does that of a request that nobody reads.
 */
export async function replayable(call: FetchCall): Promise<FetchCall> {
  const { input, init } = call;
  const body: unknown = init?.body;
  if (!isStream(body) || methodOf(call) !== 'POST' || !isReadEndpoint(urlOf(call))) return call;
  return { input, init: { ...init, body: await read(piecesOf(body)) } };
}

/** Streams of the web, and those of Node, which its `fetch` takes as well. */
type Stream = ReadableStream<unknown> | AsyncIterable<unknown>;

function isStream(body: unknown): body is Stream {
  if (typeof body !== 'object' || body === null) return false;
  return body instanceof ReadableStream || Symbol.asyncIterator in body;
}

function piecesOf(body: Stream): Pieces {
  if (!(body instanceof ReadableStream)) return body[Symbol.asyncIterator]();
  const reader = (body as ReadableStream<unknown>).getReader();
  return {
    next: () => reader.read() as Promise<IteratorResult<unknown>>,
    return: async () => reader.cancel().then(() => ended),
  };
}

const ended = { done: true, value: undefined } as const;

async function read(pieces: Pieces): Promise<Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>> {
  const taken: Uint8Array[] = [];
  for (let length = 0; length <= largestBody; ) {
    const piece = await pieces.next().catch((error: unknown) => ({ error }));
    if ('error' in piece) return rejoined(taken, { next: () => Promise.reject(piece.error) });
    if (piece.done === true) return joined(taken, length);
    const bytes = bytesOf(piece.value);
    taken.push(bytes);
    length += bytes.length;
  }
  return rejoined(taken, pieces);
}

function bytesOf(value: unknown): Uint8Array {
  return value instanceof Uint8Array ? value : new TextEncoder().encode(String(value));
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

/** What was taken, then the rest. */
function rejoined(taken: Uint8Array[], rest: Pieces): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const first = taken.shift();
        if (first !== undefined) return controller.enqueue(first);
        const { done, value } = await rest.next();
        if (done === true) controller.close();
        else controller.enqueue(bytesOf(value));
      },
      cancel: async () => {
        await rest.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
