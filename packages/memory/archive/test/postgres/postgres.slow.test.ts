import { testArchive, VirtualTime } from '@ctx/testing';
import { Pool, type PoolClient } from 'pg';
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
    const connect = (port: number, more: object = {}) =>
      new Pool({ host: '127.0.0.1', port, user: 'tester', database: 'postgres', ...more });

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

    test('a connection that is ended in the middle of a write ends neither the process nor the write', async () => {
      const archive = await postgresArchive(pool, { schema: 'killed' });
      await archive.put([entry(1)]);
      const holder = await pool.connect();
      for (let number = 2; number < 6; number += 1) {
        await holder.query('begin; lock table killed.conversations');
        const putting = archive.put([entry(number)]);
        const waiting =
          'select pid from pg_stat_activity where wait_event_type = $1 and pid <> pg_backend_pid()';
        let pids: unknown[] = [];
        while (pids.length === 0) pids = (await pool.query(waiting, ['Lock'])).rows.map(({ pid }) => pid);
        await pool.query('select pg_terminate_backend(pid) from unnest($1::int[]) pid', [pids]);
        await holder.query('commit');
        await putting;
        expect(await textOf(archive, number)).toBe(`text ${number}`);
      }
      holder.release();
    });

    test('idle connections that end are replaced', async () => {
      const own = connect(server.port);
      const archive = await postgresArchive(own, { schema: 'idle' });
      await Promise.all([1, 2, 3].map((number) => archive.put([entry(number)])));
      await pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where state = 'idle' and pid <> pg_backend_pid()`,
      );
      await archive.put([entry(4)]);
      expect(await textOf(archive, 4)).toBe('text 4');
      await own.end();
    });

    test('a server that takes no more connections says so, and is used when it does', async () => {
      const archive = await postgresArchive(pool, { schema: 'crowded' });
      const crowd = connect(server.port);
      crowd.options.max = 40;
      const crowded: PoolClient[] = [];
      for (let free = true; free; )
        free = await crowd.connect().then(
          (client) => crowded.push(client) > 0,
          () => false,
        );
      const own = connect(server.port);
      expect(await codeOf(postgresArchive(own, { schema: 'crowded' }))).toBe('archive-unavailable');
      for (const client of crowded) client.release(true);
      await crowd.end();
      await archive.put([entry(1)]);
      expect(await textOf(await postgresArchive(own, { schema: 'crowded' }), 1)).toBe('text 1');
      await own.end();
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
      const reader = connect(server.port, { options: '-c default_transaction_read_only=on' });
      reader.on('error', () => undefined);
      const readOnly = await postgresArchive(reader, { schema: 'reading' });
      expect(await textOf(readOnly, 1)).toBe('text 1');
      expect(await readOnly.search('text', { conversation: 'one' })).toMatchObject([{ text: 'text 1' }]);
      expect(await codeOf(readOnly.put([entry(2)]))).toBe('archive-unavailable');
      await reader.end();
    });
  },
);
