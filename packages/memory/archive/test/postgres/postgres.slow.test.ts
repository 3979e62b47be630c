import { testArchive, VirtualTime } from '@ctx/testing';
import { Pool } from 'pg';
import { postgresArchive } from '../../src/postgres.js';
import { codeOf, entry, textOf } from '../entries.js';
import { postgresPrograms, type RestartableServer, startPostgres } from './server.js';

const missing = postgresPrograms === undefined;
const describeHere = missing ? describe.skip : describe;

describeHere(
  missing ? 'Postgres (skipped: it is not installed; scripts/install-servers.mjs does)' : 'Postgres',
  () => {
    let server: RestartableServer;
    let pool: Pool;
    let opened = 0;
    const connect = (port: number) =>
      new Pool({ host: '127.0.0.1', port, user: 'tester', database: 'postgres' });

    beforeAll(async () => {
      server = await startPostgres();
      pool = connect(server.port);
      // Without a listener the end of the server would end the process.
      pool.on('error', () => undefined);
    });
    afterAll(async () => {
      await pool.end();
      await server.stop();
    });

    const schema = () => `archive "${opened}"`;

    testArchive({
      name: 'The archive in Postgres',
      open(options) {
        opened += 1;
        return postgresArchive(pool, { ...options, schema: schema() });
      },
      openAgain: (options) => postgresArchive(pool, { ...options, schema: schema() }),
    });

    test('a server that fails in the middle loses nothing, and is used again when it is back', async () => {
      const archive = await postgresArchive(pool, { schema: 'failing', timeout: 20_000 });
      await archive.put([entry(1)]);
      await server.kill();
      expect(await codeOf(archive.put([entry(2)]))).toBe('archive-unavailable');
      expect(await codeOf(archive.search('text', { conversation: 'one' }))).toBe('archive-unavailable');
      await server.start();
      await archive.put([entry(2)]);
      expect([await textOf(archive, 1), await textOf(archive, 2)]).toEqual(['text 1', 'text 2']);
    });

    test('a server that does not answer is not waited for', async () => {
      const silent = { connect: () => new Promise<never>(() => undefined) };
      const time = new VirtualTime();
      const opening = codeOf(postgresArchive(silent, { wait: time.wait }));
      time.pass(5_000);
      expect(await opening).toBe('archive-unavailable');
    });

    test('one that is read-only can be read', async () => {
      const archive = await postgresArchive(pool, { schema: 'reading' });
      await archive.put([entry(1)]);
      const reader = new Pool({
        host: '127.0.0.1',
        port: server.port,
        user: 'tester',
        database: 'postgres',
        options: '-c default_transaction_read_only=on',
      });
      reader.on('error', () => undefined);
      const readOnly = await postgresArchive(reader, { schema: 'reading' });
      expect(await textOf(readOnly, 1)).toBe('text 1');
      expect((await readOnly.search('text', { conversation: 'one' })).map(({ text }) => text)).toEqual([
        'text 1',
      ]);
      expect(await codeOf(readOnly.put([entry(2)]))).toBe('archive-unavailable');
      await reader.end();
    });
  },
);
