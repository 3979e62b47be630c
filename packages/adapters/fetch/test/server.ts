import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type Reply = (response: ServerResponse, received: Received, number: number) => void;

/** A server on loopback that notes what it gets and replies as it is told. */
export async function startServer(reply: Reply) {
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
