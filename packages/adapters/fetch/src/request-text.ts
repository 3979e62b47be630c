import { isReadEndpoint } from './request-purpose.js';
import { largestBody, tooLarge, type Unread, unpacked } from './unpacking.js';

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
  const { input, init } = call;
  const body = init?.body ?? (input instanceof Request ? input.clone().body : undefined);
  if (body === undefined || body === null) return { unread: 'no-body' };
  if (body instanceof FormData || body instanceof URLSearchParams)
    return { unread: 'unknown-form', what: body.constructor.name };
  if (typeof body === 'string') return body.length > largestBody ? tooLarge : body;
  const bytes = new Uint8Array(await new Response(body).arrayBuffer());
  if (bytes.length > largestBody) return tooLarge;
  const packing = headersOf(call).get('content-encoding') ?? 'identity';
  const text = await unpacked(bytes, packing);
  return text instanceof Uint8Array ? new TextDecoder('utf-8', { fatal: true }).decode(text) : text;
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

/** The same call with the bytes of its body in the place of a stream, which can be read only once. One that nobody reads stays a stream. */
export async function replayable(call: FetchCall): Promise<FetchCall> {
  const { input, init } = call;
  const body: unknown = init?.body;
  const isStream = typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
  const isRead = methodOf(call) === 'POST' && isReadEndpoint(urlOf(call));
  if (!isRead || !(isStream || body instanceof ReadableStream)) return call;
  // Node's `fetch` also takes its own streams.
  const bytes = new Uint8Array(await new Response(body as ReadableStream).arrayBuffer());
  return { input, init: { ...init, body: bytes } };
}
