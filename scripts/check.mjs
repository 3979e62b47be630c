import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { command, npm, packages, readJson, root } from './tools.mjs';

const published = packages.filter((one) => readJson(join(one, 'package.json')).private !== true);
const folder = mkdtempSync(join(tmpdir(), 'ctx-check-'));
const tarballs = join(folder, 'tarballs');
mkdirSync(tarballs);
const failed = [];

/** Runs Node, and returns what was printed when it has ended. */
function run(args, input = '') {
  const child = spawn(process.execPath, args, { cwd: root });
  const printed = { all: '', out: '' };
  child.stdout.on('data', (text) => {
    printed.out += text;
    printed.all += text;
  });
  child.stderr.on('data', (text) => {
    printed.all += text;
  });
  child.stdin.end(input);
  return new Promise((done, fail) => {
    child.on('error', fail);
    child.on('close', (status) => done({ status: status ?? 1, ...printed }));
  });
}

const script = (name, ...args) => run([join(root, `scripts/${name}.mjs`), ...args]);

/**
 * Packs each package that is published, and checks which files went in. Packs copies without their dependencies, which npm reads for half a
 * minute and packs none of.
 */
async function pack() {
  const copies = published.map((one) => join(folder, 'packages', basename(one)));
  const isOwn = (path) => basename(path) !== 'node_modules';
  for (const [at, one] of published.entries()) cpSync(one, copies[at], { recursive: true, filter: isOwn });
  const args = [npm(), 'pack', '--json', '--loglevel=error', '--pack-destination', tarballs, ...copies];
  const packed = await run(args);
  if (packed.status !== 0) return packed;
  return run([join(root, 'scripts/tarballs.mjs')], packed.out);
}

/** What needs nothing but the build. What takes longest comes first. */
const sideBySide = {
  pack,
  biome: () => run([command('@biomejs/biome', 'biome'), 'check', '--error-on-warnings']),
  knip: () => run([command('knip'), '--no-config-hints']),
  regexes: () => script('regexes', root),
  errors: () => script('error-codes', root),
  generated: () => script('strategies', '--check'),
  boundaries: () => script('boundaries', root),
  lengths: () => script('lengths', root),
  constants: () => script('constants', root),
  rooms: () => script('readme-rooms', root),
  api: () => script('api', root),
  sizes: () => script('sizes', root),
  manifests: () => script('manifests', root),
};

/** Two checks for each tarball, which say nothing unless they fail. */
function ofTarballs() {
  const names = readdirSync(tarballs);
  if (names.length !== published.length) failed.push('publint', 'attw');
  const attw = [command('@arethetypeswrong/cli', 'attw'), '--profile', 'esm-only', '--no-emoji'];
  const publint = [command('publint'), 'run'];
  const tasks = names.flatMap((name) => [
    [`attw ${name}`, () => quiet([...attw, join(tarballs, name)])],
    [`publint ${name}`, () => quiet([...publint, join(tarballs, name), '--strict'])],
  ]);
  return Object.fromEntries(tasks);
}

async function quiet(args) {
  const done = await run(args);
  return done.status === 0 ? { status: 0 } : done;
}

/** Runs steps side by side, as many as there are processors, and shows what each printed when it has ended. */
async function runAll(steps) {
  const waiting = Object.entries(steps);
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [name, start] = next;
      const { status, all } = await start();
      if (all !== undefined) process.stdout.write(`── ${name}\n${all}`);
      if (status !== 0) failed.push(name);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
}

await runAll({ types: () => run([command('typescript', 'tsc'), '-b']) });
await runAll({ bundles: () => script('bundle') });
await runAll(sideBySide);
console.log('── publint and attw');
await runAll(ofTarballs());
rmSync(folder, { recursive: true });

console.log(failed.length === 0 ? '\nEvery check passed.' : `\nFailed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
