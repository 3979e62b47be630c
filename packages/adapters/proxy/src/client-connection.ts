import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RawHeaders, valuesOf } from './raw-headers.js';

/** Agents that try a WebSocket go on over HTTP at once. */
export function refuseUpgrade(request: IncomingMessage, socket: Duplex): void {
  request.on('error', () => {});
  socket.on('error', () => {});
  socket.end('HTTP/1.1 426 Upgrade Required\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
}

/** What servers disagree on, and may take for another request: which host is meant, and where the body ends (RFC 9112, 3.2 and 6.1). */
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
