import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// An import would be bundled into the configuration of the site, which can't hold CommonJS.
const { packagesIn } = createRequire(import.meta.url)('./packages.cjs');

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

export const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

export const packages = packagesIn(root).map(({ folder }) => join(root, folder));

/** The script behind a dependency's command, so that no shell and no PATH is needed. */
export function command(dependency, name = dependency) {
  const folder = join(root, 'node_modules', dependency);
  const { bin } = readJson(join(folder, 'package.json'));
  return join(folder, typeof bin === 'string' ? bin : bin[name]);
}

export function node(args, { cwd = root, env = {} } = {}) {
  const { status, error } = spawnSync(process.execPath, args, {
    cwd,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  if (error) throw error;
  return status ?? 1;
}

/** Runs Node, and returns what was printed when it has ended: on the standard output, and in all. */
export function started(args, { cwd = root, env = process.env } = {}) {
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const printed = { all: '', out: '' };
  child.stdout.on('data', (text) => {
    printed.out += text;
    printed.all += text;
  });
  child.stderr.on('data', (text) => {
    printed.all += text;
  });
  return new Promise((done, fail) => {
    child.on('error', fail);
    child.on('close', (status) => done({ status: status ?? 1, ...printed }));
  });
}

/** Runs steps side by side, as many as there are processors, shows what each printed when it has ended, and returns the names of those that failed. */
export async function sideBySide(steps) {
  const waiting = Object.entries(steps);
  const failed = [];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [name, start] = next;
      const { status, all } = await start();
      if (all !== undefined) process.stdout.write(`── ${name}\n${all}`);
      if (status !== 0) failed.push(name);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return failed;
}

/** The packages that are published. */
export const published = packages.filter((one) => readJson(join(one, 'package.json')).private !== true);

/** pnpm with its version. */
export const { packageManager } = readJson(join(root, 'package.json'));

/** The arguments with which Node starts that pnpm. */
export const pnpm = () => [npm(), 'exec', '--yes', '--', packageManager];

export function npm() {
  const bin = dirname(process.execPath);
  const places = [
    process.env.npm_execpath ?? '',
    join(bin, '../lib/node_modules/npm/bin/npm-cli.js'),
    join(bin, 'node_modules/npm/bin/npm-cli.js'),
  ];
  const found = places.find((file) => file.endsWith('npm-cli.js') && existsSync(file));
  if (!found) throw new Error('npm was not found next to node; start this through `npm run`');
  return found;
}
