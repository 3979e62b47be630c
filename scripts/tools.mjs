import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

export const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

export const packages = readdirSync(join(root, 'packages'))
  .map((name) => join(root, 'packages', name))
  .filter((folder) => existsSync(join(folder, 'package.json')));

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
