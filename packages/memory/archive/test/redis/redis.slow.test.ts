import { testArchive, VirtualTime } from '@ctx/testing';
import { createClient } from '@redis/client';
import { redisArchive } from '../../src/redis.js';
import { codeOf, entry, textOf } from '../entries.js';
import type { TestServer } from '../postgres/server.js';
import { hasRedis, startRedis } from './server.js';

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

    const client = () => clients[0] as ReturnType<typeof connect>;

    test('a server without room refuses what is put, and can be read', async () => {
      const archive = redisArchive(client(), { prefix: 'full:' });
      await archive.put([entry(1)]);
      await client().sendCommand(['CONFIG', 'SET', 'maxmemory', '1']);
      expect(await codeOf(archive.put([entry(2)]))).toBe('archive-full');
      expect(await textOf(archive, 1)).toBe('text 1');
      await client().sendCommand(['CONFIG', 'SET', 'maxmemory', '0']);
      await archive.put([entry(2)]);
      expect(await textOf(archive, 2)).toBe('text 2');
    });

    test('a copy that is read-only can be read', async () => {
      const archive = redisArchive(client(), { prefix: 'copy:' });
      await archive.put([entry(1)]);
      await client().sendCommand(['REPLICAOF', '127.0.0.1', '1']);
      expect(await codeOf(archive.put([entry(2)]))).toBe('archive-unavailable');
      expect(await textOf(archive, 1)).toBe('text 1');
      await client().sendCommand(['REPLICAOF', 'NO', 'ONE']);
    });

    test('a server that is gone is not waited for', async () => {
      const own = await startRedis();
      const alone = connect(own.port);
      await alone.on('error', () => undefined).connect();
      const time = new VirtualTime();
      const archive = redisArchive(alone, { wait: time.wait });
      await archive.put([entry(1)]);
      await own.stop();
      const put = codeOf(archive.put([entry(2)]));
      const found = codeOf(archive.search('text', { conversation: 'one' }));
      await new Promise(setImmediate);
      time.pass(5_000);
      expect([await put, await found]).toEqual(['archive-unavailable', 'archive-unavailable']);
      alone.destroy();
    });
  },
);
