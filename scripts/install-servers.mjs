/**
 * Installs the servers that tests of the archive start: Debian's Postgres and Redis, without starting them. Does nothing where they are
 * there, and says so where they can't be had: tests without them are skipped and say why.
 * Usage: node scripts/install-servers.mjs
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Package → a file that shows that it is installed. */
const servers = { postgresql: '/usr/lib/postgresql', 'redis-server': '/usr/bin/redis-server' };

function install(packages) {
  // In run level 1 no server is started.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const apt = (...args) =>
    spawnSync('apt-get', ['-q', ...args], { stdio: ['ignore', 'ignore', 'inherit'], env });
  return (
    apt('update').status === 0 && apt('install', '-y', '--no-install-recommends', ...packages).status === 0
  );
}

const missing = Object.keys(servers).filter((name) => !existsSync(servers[name]));
const canInstall = process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0;
if (missing.length === 0) console.log('Postgres and Redis are installed.');
else if (!canInstall) console.log(`Not installed: ${missing.join(', ')}. Their tests are skipped.`);
else if (install(missing)) console.log(`Installed: ${missing.join(', ')}.`);
else console.log(`Could not be installed: ${missing.join(', ')}. Their tests are skipped.`);
