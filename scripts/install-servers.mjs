/**
 * Installs the server that tests of the archive start: Debian's Postgres, without starting it. Does nothing where it is
 * there, and says so where it can't be had: tests without it are skipped and say why.
 * Usage: node scripts/install-servers.mjs
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Package → a file that shows that it is installed. */
const servers = { postgresql: '/usr/lib/postgresql' };

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
if (missing.length === 0) console.log('Postgres is installed.');
else if (!canInstall) console.log(`Not installed: ${missing.join(', ')}. Their tests are skipped.`);
else if (install(missing)) console.log(`Installed: ${missing.join(', ')}.`);
else console.log(`Could not be installed: ${missing.join(', ')}. Their tests are skipped.`);
