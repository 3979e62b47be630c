import { testArchive } from '@ctx/testing';
import { Pool } from 'pg';
import { postgresArchive } from '../src/postgres.js';
import { postgresPrograms, startPostgres, type TestServer } from './postgres-server.js';

const missing = postgresPrograms === undefined;
const describeHere = missing ? describe.skip : describe;

describeHere(
  missing ? 'Postgres (skipped: it is not installed; scripts/install-servers.mjs does)' : 'Postgres',
  () => {
    let server: TestServer;
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
  },
);
