import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

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

/** Where Debian puts each version of Postgres. */
const versions = '/usr/lib/postgresql';

/** The folder with the programs of the newest Postgres; undefined if there is none. */
const postgresPrograms = existsSync(versions)
  ? readdirSync(versions)
      .map((version) => join(versions, version, 'bin'))
      .findLast((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')))
  : undefined;

async function startPostgres(): Promise<TestServer> {
  const programs = postgresPrograms as string;
  const folder = mkdtempSync(join(tmpdir(), 'ctx-postgres-'));
  const user = serverUser();
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid as number);
  const [data, port, options] = [join(folder, 'data'), await freePort(), { ...user, cwd: folder }];
  const made = ['-D', data, '-U', 'tester', '-A', 'trust', '-E', 'UTF8', '--no-sync'];
  execFileSync(join(programs, 'initdb'), made, { ...options, stdio: 'ignore' });
  const settings = ['fsync=off', 'listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`];
  const args = ['-D', data, '-p', String(port), ...settings.flatMap((one) => ['-c', one])];
  const server = spawn(join(programs, 'postgres'), args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  await ready(server, 'database system is ready');
  const stop = () => ended(server, 'SIGINT', folder);
  return { address: `postgres://tester@127.0.0.1:${port}/postgres`, stop };
}

/** Postgres refuses to run as root, so root runs it as Debian's user for it. */
function serverUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

function ready(server: ChildProcess, sign: string): Promise<void> {
  let log = '';
  return new Promise((resolve, reject) => {
    for (const stream of [server.stdout, server.stderr])
      stream?.on('data', (piece) => {
        log += piece;
        if (log.includes(sign)) resolve();
      });
    server.once('error', reject);
    server.once('close', () => reject(new Error(`The server did not start: ${log}`)));
  });
}

async function ended(server: ChildProcess, signal: NodeJS.Signals, folder: string): Promise<void> {
  const closed = server.exitCode !== null || new Promise((resolve) => server.once('close', resolve));
  server.kill(signal);
  await closed;
  rmSync(folder, { recursive: true, force: true });
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
