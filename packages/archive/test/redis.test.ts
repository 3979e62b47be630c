import { testArchive } from '@ctx/testing';
import { createClient } from '@redis/client';
import { redisArchive } from '../src/redis.js';
import type { TestServer } from './postgres-server.js';
import { hasRedis, startRedis } from './redis-server.js';

const describeHere = hasRedis ? describe : describe.skip;

describeHere(
  hasRedis ? 'Redis' : 'Redis (skipped: it is not installed; scripts/install-servers.mjs does)',
  () => {
    let server: TestServer;
    let clients: ReturnType<typeof connect>[];
    let opened = 0;
    const connect = (port: number) => createClient({ socket: { host: '127.0.0.1', port } });

    beforeAll(async () => {
      server = await startRedis();
      clients = [connect(server.port), connect(server.port)];
      for (const client of clients) await client.on('error', () => undefined).connect();
    });
    afterAll(async () => {
      for (const client of clients) client.destroy();
      await server.stop();
    });

    const archive = (client: number, options: object) =>
      redisArchive(clients[client] as ReturnType<typeof connect>, {
        ...options,
        prefix: `archive-${opened}:`,
      });

    testArchive({
      name: 'The archive in Redis',
      async open(options) {
        opened += 1;
        return archive(0, options);
      },
      openAgain: async (options) => archive(1, options),
    });
  },
);
