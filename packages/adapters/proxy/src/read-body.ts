import type { IncomingMessage } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';

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
