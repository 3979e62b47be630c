import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type Reply = (response: ServerResponse, received: Received, number: number) => void;

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A server that is closed after the test. */
export async function closedAfter<Server extends { close(): Promise<unknown> }>(
  starting: Promise<Server>,
): Promise<Server> {
  const server = await starting;
  closing.push(() => server.close());
  return server;
}

/** A server on loopback that notes what it gets and replies as it is told, and is closed after the test. */
export const startServer = (reply: Reply) => closedAfter(listening(reply));

async function listening(reply: Reply) {
  const received: Received[] = [];
  const listener: RequestListener = (request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const one = {
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(pieces).toString('utf8'),
      };
      received.push(one);
      reply(response, one, received.length);
    });
  };
  const server = createServer(listener);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    received,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export const json = (response: ServerResponse, value: unknown, status = 200) => {
  response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'r1' });
  response.end(typeof value === 'string' ? value : JSON.stringify(value));
};

export const events = (response: ServerResponse, values: readonly unknown[]) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(
    values.map((value) => `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`).join(''),
  );
};
