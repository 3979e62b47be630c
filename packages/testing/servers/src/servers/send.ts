import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Fields } from '@ctx/core/codec';
import type { Dialect, Piece, StreamType } from './dialect.js';

/** What a server does in place of an answer, or with it. */
export type ServerFault =
  /** An error in the provider's words. */
  | { readonly type: 'status'; readonly status: number }
  /** A page, as a proxy or a captive portal shows it. Default status 502. */
  | { readonly type: 'html'; readonly status?: number }
  /** Nothing more after so many bytes of the answer; the connection stays open. Default 0, not even a status. */
  | { readonly type: 'stall'; readonly afterBytes?: number }
  /** The connection breaks after so many bytes of the answer. Default 0, not even a status. */
  | { readonly type: 'drop'; readonly afterBytes?: number };

const page =
  '<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body><h1>Bad Gateway</h1></body></html>';

/** What goes back to the client. */
export interface Reply {
  readonly status: number;
  readonly type: 'application/json' | StreamType | 'text/html';
  readonly headers?: Readonly<Record<string, string>>;
  /** Each is written by itself. */
  readonly pieces: readonly Piece[];
}

export const jsonReply = (status: number, body: Fields, headers: Record<string, string> = {}): Reply => ({
  status,
  type: 'application/json',
  headers,
  pieces: [JSON.stringify(body)],
});

export const streamReply = (type: StreamType = 'text/event-stream', pieces: readonly Piece[] = []): Reply => {
  return { status: 200, type, pieces };
};

/** The reply of a fault that needs no answer; undefined for one that breaks an answer off. */
export function faultReply(fault: ServerFault, { error, words }: Dialect): Reply | undefined {
  if (fault.type === 'html') return { status: fault.status ?? 502, type: 'text/html', pieces: [page] };
  if (fault.type !== 'status') return undefined;
  const { status } = fault;
  const message = words[status] ?? words[500];
  return jsonReply(status, error({ status, message, details: {} }));
}

/** How a server sends its replies. */
export interface Sending {
  /** Bytes of each piece in which a reply is sent; 1 cuts through events and characters. Default: whole events. */
  readonly chunkBytes?: number;
  /** Compresses replies for clients that accept gzip. Default false. */
  readonly compress?: boolean;
}

/** Writes a reply, or as much of it as the fault lets through. */
export function send(
  request: IncomingMessage,
  response: ServerResponse,
  reply: Reply,
  { chunkBytes, compress, fault }: Sending & { readonly fault?: ServerFault | undefined },
): void {
  const limit = fault?.type === 'stall' || fault?.type === 'drop' ? (fault.afterBytes ?? 0) : undefined;
  if (limit === 0) {
    breakOff(response, fault);
    return;
  }
  const isCompressed = compress && String(request.headers['accept-encoding']).includes('gzip');
  response.writeHead(reply.status, {
    'content-type': reply.type === 'text/html' ? 'text/html; charset=utf-8' : reply.type,
    'x-request-id': 'req_test',
    'request-id': 'req_test',
    ...(isCompressed ? { 'content-encoding': 'gzip' } : {}),
    ...reply.headers,
  });
  const whole = Buffer.concat(reply.pieces.map((piece) => Buffer.from(piece)));
  const sent = isCompressed ? gzipSync(whole) : whole;
  const size = chunkBytes ?? whole.length;
  const chunks = Array.from({ length: Math.ceil(sent.length / size) }, (_, at) =>
    sent.subarray(at * size, (at + 1) * size),
  );
  const written = isCompressed || chunkBytes !== undefined ? chunks : reply.pieces;
  for (const chunk of limit === undefined ? written : [whole.subarray(0, limit)]) response.write(chunk);
  if (limit === undefined) response.end();
  else breakOff(response, fault);
}

/** The client gets what was written before the connection breaks, hence not `destroy`. */
function breakOff(response: ServerResponse, fault: ServerFault | undefined): void {
  if (fault?.type === 'drop') response.socket?.end();
}
