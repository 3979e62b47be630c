import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../free-port.js';

/** Where Debian puts each version of Postgres. */
const versions = '/usr/lib/postgresql';

/** The folder with the programs of the newest Postgres; undefined if there is none. */
export const postgresPrograms = existsSync(versions)
  ? readdirSync(versions)
      .map((version) => join(versions, version, 'bin'))
      .findLast((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')))
  : undefined;

interface TestServer {
  readonly port: number;
  /** Ends it and what it keeps. */
  stop(): Promise<void>;
}

export interface RestartableServer extends TestServer {
  /** Kills it, as a machine that fails does. */
  kill(): Promise<void>;
  /** Starts it again with what it kept. */
  start(): Promise<void>;
}

/** Starts a Postgres on a free port of this machine, with a database of its own that is gone when it stops. */
export async function startPostgres(): Promise<RestartableServer> {
  const programs = postgresPrograms as string;
  const folder = mkdtempSync(join(tmpdir(), 'ctx-postgres-'));
  const user = serverUser();
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid as number);
  const data = join(folder, 'data');
  const options = { ...user, cwd: folder };
  const made = ['-D', data, '-U', 'tester', '-A', 'trust', '-E', 'UTF8', '--no-sync'];
  execFileSync(join(programs, 'initdb'), made, { ...options, stdio: 'ignore' });
  const port = await freePort();
  const sockets = `unix_socket_directories=${folder}`;
  const settings = ['fsync=off', 'listen_addresses=127.0.0.1', sockets, 'max_connections=30'];
  const args = ['-D', data, '-p', String(port), ...settings.flatMap((one) => ['-c', one])];
  let server: ChildProcess;
  const start = async () => {
    server = spawn(join(programs, 'postgres'), args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
    await ready(server);
  };
  const end = async (signal: NodeJS.Signals) => {
    const ended = server.exitCode !== null || new Promise((done) => server.once('close', done));
    server.kill(signal);
    await ended;
  };
  await start();
  return {
    port,
    start,
    kill: () => end('SIGQUIT'),
    async stop() {
      // Fast shutdown: clients are sent away.
      await end('SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Postgres refuses to run as root, so root runs it as Debian's user for it. */
function serverUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

function ready(server: ChildProcess): Promise<void> {
  let log = '';
  return new Promise((done, fail) => {
    server.stderr?.on('data', (chunk) => {
      log += chunk;
      if (log.includes('database system is ready')) done();
    });
    server.once('close', () => fail(new Error(`Postgres did not start: ${log}`)));
  });
}
