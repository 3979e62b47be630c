import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { passedOn } from './raw-headers.js';

/** Statuses whose answers have no body. */
const withoutBody = [204, 205, 304];

/** The answer of an upstream as a `Response` of the same bytes. */
export function responseOf(incoming: IncomingMessage, headers: Headers): Response {
  const { statusCode: status = 502 } = incoming;
  const isEmpty = withoutBody.includes(status);
  if (isEmpty) incoming.resume();
  const body = isEmpty ? null : streamOf(incoming);
  // A status that only the client will understand is written unchanged, from the message itself.
  return new Response(body, { status: status > 599 ? 599 : Math.max(200, status), headers });
}

/** Reads a piece when it is asked for one, which takes less than a third of `Readable.toWeb`. */
function streamOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  const pieces: AsyncIterator<Uint8Array> = incoming[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      cancel: () => void incoming.destroy(),
    },
    { highWaterMark: 0 },
  );
}

/** Writes the head of an upstream's answer as it came. */
export function writeHead(
  response: ServerResponse,
  { statusCode = 502, statusMessage, rawHeaders }: IncomingMessage,
  more: Readonly<Record<string, string>> = {},
  without: readonly string[] = [],
): void {
  response.writeHead(statusCode, statusMessage, [
    ...passedOn(rawHeaders, without),
    ...Object.entries(more).flat(),
  ]);
}

/** Passes an upstream's answer as it comes, at the pace of the client. A stream that breaks off breaks off for the client. */
export function passAnswer(response: ServerResponse, incoming: IncomingMessage): void {
  writeHead(response, incoming);
  response.flushHeaders();
  pipeline(incoming, response, () => {});
}

/** The same for the body of a `Response`. */
export async function passBody(
  response: ServerResponse,
  body: ReadableStream<Uint8Array> | null,
): Promise<void> {
  if (body === null) {
    response.end();
    return;
  }
  // An answer that is there already is written together with its head.
  const late = setImmediate(() => response.flushHeaders());
  const reader = body.getReader();
  response.once('close', () => void reader.cancel().catch(() => {}));
  try {
    for (;;) {
      const { done, value } = await reader.read();
      clearImmediate(late);
      if (done) break;
      if (!response.write(value)) await drained(response);
    }
    response.end();
  } catch {
    response.destroy();
  }
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      response.off('drain', end);
      response.off('close', end);
      resolve();
    };
    response.once('drain', end);
    response.once('close', end);
  });
}

/** An error of the proxy's own, in a form that the clients of all three APIs read. */
export function refuse(response: ServerResponse, status: number, code: string, message: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const text = JSON.stringify({
    type: 'error',
    error: { type: code, code, status, message: `[ctx proxy] ${message}` },
  });
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}
