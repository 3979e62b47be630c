import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Duplex, PassThrough, type Readable } from 'node:stream';
import { type RawHeaders, valuesOf } from './raw-headers.js';

/** Agents that try a WebSocket go on over HTTP at once. */
export function refuseUpgrade(request: IncomingMessage, socket: Duplex): void {
  request.on('error', () => {});
  socket.on('error', () => {});
  socket.end('HTTP/1.1 426 Upgrade Required\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
}

/** Ambiguities that servers resolve differently (request smuggling): which host is meant, and where the body ends (RFC 9112, 3.2 and 6.1). */
export function malformedIn(
  raw: RawHeaders,
): { readonly status: number; readonly problem: string } | undefined {
  if (valuesOf(raw, 'host').length > 1)
    return { status: 400, problem: 'There is more than one Host header.' };
  const isKnown = valuesOf(raw, 'transfer-encoding').every((one) => one.trim().toLowerCase() === 'chunked');
  return isKnown
    ? undefined
    : { status: 501, problem: 'The only transfer encoding that is read is chunked.' };
}

/** Ms in which the system of a client that has gone refuses what is written. It is this machine, or near. */
const refusedWithin = 100;

/**
 * A client that closes its side may have gone, or wait for the answer. The interim answer `102` is skipped by one that waits; the system of
 * one that has gone refuses it, which shows when the next is written. Returns a function that ends it.
 */
export function askWhetherGone({ socket }: IncomingMessage, response: ServerResponse): () => void {
  let timer: NodeJS.Timeout | undefined;
  const ask = () => {
    if (!response.headersSent) response.writeProcessing();
  };
  const begin = () => {
    ask();
    timer = setTimeout(ask, refusedWithin);
  };
  if (socket.readableEnded) begin();
  else socket.once('end', begin);
  return () => {
    clearTimeout(timer);
    socket.off('end', begin);
  };
}

/** The bytes of a body in the pieces in which they came: what is joined is there twice. */
export type Pieces = readonly Uint8Array[];

/**
 * The body of a request, if it is not longer than so many bytes. Of a longer one, a stream of all its bytes.
 * Throws if the client breaks off.
 */
export async function readBody(request: IncomingMessage, longest: number): Promise<Pieces | Readable> {
  if (Number(request.headers['content-length']) > longest) return request;
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request.iterator({ destroyOnReturn: false })) {
    pieces.push(piece as Buffer);
    length += (piece as Buffer).length;
    if (length > longest) return rejoined(pieces, request);
  }
  return pieces;
}

/** What was read already, then the rest. */
function rejoined(pieces: Pieces, rest: Readable): Readable {
  const whole = new PassThrough();
  for (const piece of pieces) whole.write(piece);
  rest.once('error', (error) => whole.destroy(error));
  return rest.pipe(whole);
}

export function lengthOf(pieces: Pieces): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

/** All bytes in one buffer. */
export function joined(pieces: Pieces): Uint8Array<ArrayBuffer> {
  const all = Buffer.allocUnsafe(lengthOf(pieces));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
