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
