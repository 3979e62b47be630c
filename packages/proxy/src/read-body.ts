import type { IncomingMessage } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';

/**
 * The body of a request, if it is not longer than so many bytes. Of a longer one, a stream of all its bytes.
 * Throws if the client breaks off.
 */
export async function readBody(request: IncomingMessage, longest: number): Promise<Buffer | Readable> {
  if (Number(request.headers['content-length']) > longest) return request;
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request.iterator({ destroyOnReturn: false })) {
    pieces.push(piece as Buffer);
    length += (piece as Buffer).length;
    if (length > longest) return rejoined(pieces, request);
  }
  return Buffer.concat(pieces);
}

/** What was read already, then the rest. */
function rejoined(pieces: readonly Buffer[], rest: Readable): Readable {
  const whole = new PassThrough();
  for (const piece of pieces) whole.write(piece);
  rest.once('error', (error) => whole.destroy(error));
  return rest.pipe(whole);
}
