import { createServer } from 'node:net';

/** A port of the loopback address that nobody uses. */
export function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((done, fail) => {
    server.once('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => done(port));
    });
  });
}
