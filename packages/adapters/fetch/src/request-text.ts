import { isReadEndpoint } from './request-purpose.js';
import { largestBody, type Unread, unpacked } from './unpacking.js';

/** The arguments of a `fetch`. */
export interface FetchCall {
  readonly input: string | URL | Request;
  readonly init: RequestInit | undefined;
}

export function urlOf({ input }: FetchCall): URL {
  return new URL(typeof input === 'string' ? input : input instanceof URL ? input.href : input.url);
}

/** The headers of a call; not to be changed. */
export function headersOf({ input, init }: FetchCall): Headers {
  const headers = init?.headers ?? (input instanceof Request ? input.headers : undefined);
  return headers instanceof Headers ? headers : new Headers(headers);
}

export function methodOf({ input, init }: FetchCall): string {
  return (init?.method ?? (input instanceof Request ? input.method : 'GET')).toUpperCase();
}

export function signalOf({ input, init }: FetchCall): AbortSignal | undefined {
  return init?.signal ?? (input instanceof Request ? input.signal : undefined);
}

/** The body of a request as text, unpacked if it is compressed. The request itself stays unread. */
export async function textOf(call: FetchCall): Promise<string | Unread> {
  const bytes = await bodyOf(call);
  if (typeof bytes === 'string') return bytes.length > largestBody ? { unread: 'too-large' } : bytes;
  if (!(bytes instanceof Uint8Array)) return bytes;
  if (bytes.length > largestBody) return { unread: 'too-large' };
  const packed = headersOf(call).get('content-encoding');
  if (packed === null || packed === 'identity')
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  return unpacked(bytes, packed);
}

async function bodyOf({ input, init }: FetchCall): Promise<string | Uint8Array | Unread> {
  const { body } = init ?? {};
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array) return body;
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  if (body instanceof Blob)
    return body.size > largestBody ? { unread: 'too-large' } : new Uint8Array(await body.arrayBuffer());
  // What is still a stream was too long to be read before.
  if (body instanceof ReadableStream) return { unread: 'too-large' };
  if (body !== undefined && body !== null) return { unread: 'unknown-form', what: body.constructor?.name };
  if (!(input instanceof Request) || input.body === null) return { unread: 'no-body' };
  if (Number(input.headers.get('content-length')) > largestBody) return { unread: 'too-large' };
  return new Uint8Array(await input.clone().arrayBuffer());
}

/** The same call with another body, in clear text. */
export function withBody(call: FetchCall, written: string | Uint8Array): FetchCall {
  const headers = new Headers(headersOf(call));
  headers.delete('content-length');
  headers.delete('content-encoding');
  const { input, init } = call;
  // What `fetch` would say of a `Blob` by itself.
  if (init?.body instanceof Blob && init.body.type !== '' && !headers.has('content-type'))
    headers.set('content-type', init.body.type);
  const body = written as string | Uint8Array<ArrayBuffer>;
  if (input instanceof Request && init?.body === undefined)
    return { input: new Request(input, { ...init, body, headers }), init: undefined };
  return { input, init: { ...init, body, headers } };
}

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
