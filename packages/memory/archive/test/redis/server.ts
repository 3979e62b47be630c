import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../free-port.js';
import type { TestServer } from '../postgres/server.js';

/** Where Debian puts Redis. */
const program = '/usr/bin/redis-server';

export const hasRedis = existsSync(program);

/** Starts a Redis on a free port of this machine, which keeps nothing on the disk. */
export async function startRedis(): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), 'ctx-redis-'));
  const port = await freePort();
  const settings = ['--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder];
  const server = spawn(program, ['--port', String(port), ...settings], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let log = '';
  await new Promise<void>((done, fail) => {
    server.stdout.on('data', (chunk) => {
      log += chunk;
      if (log.includes('Ready to accept connections')) done();
    });
    server.once('error', fail);
    server.once('close', () => fail(new Error(`Redis did not start: ${log}`)));
  });
  return {
    port,
    async stop() {
      const ended = new Promise((done) => server.once('close', done));
      server.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
