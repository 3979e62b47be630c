import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  postgresPrograms,
  startPostgres as startServer,
} from '../../../../memory/archive/test/postgres/server.js';

/** A server on loopback that keeps nothing when it stops. */
interface TestServer {
  /** Its address, as `--store` takes it. */
  readonly address: string;
  stop(): Promise<void>;
}

/** One of the engines that keep what proxies share. */
export interface Engine {
  readonly name: string;
  /** A test that is skipped where the engine is not installed. */
  readonly testHere: typeof test;
  /** The address of its server, while tests run. */
  address(): string;
}

type Start = readonly [name: string, isThere: boolean, start: () => Promise<TestServer>];

/** Describes something with the engine that needs no server: SQLite, with a file of its own. */
export function describeSqlite(title: string, tests: (engine: Engine) => void): void {
  describeEngines(title, [['SQLite', true, makeSqlite]], tests);
}

/** Describes something with the engine that is a server: Postgres. */
export function describeServers(title: string, tests: (engine: Engine) => void): void {
  const servers: Start[] = [['Postgres', postgresPrograms !== undefined, startPostgres]];
  describeEngines(title, servers, tests);
}

function describeEngines(title: string, engines: readonly Start[], tests: (engine: Engine) => void): void {
  describe.each(engines)(title, (name, isThere, start) => {
    let server: TestServer;
    beforeAll(async () => {
      if (isThere) server = await start();
    });
    afterAll(async () => {
      if (isThere) await server.stop();
    });
    tests({ name, testHere: isThere ? test : (test.skip as typeof test), address: () => server.address });
  });
}

async function makeSqlite(): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), 'ctx-sqlite-'));
  const stop = async () => rmSync(folder, { recursive: true, force: true });
  return { address: `sqlite:${join(folder, 'one.sqlite')}`, stop };
}

async function startPostgres(): Promise<TestServer> {
  const { port, stop } = await startServer();
  return { address: `postgres://tester@127.0.0.1:${port}/postgres`, stop };
}
