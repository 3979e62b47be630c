import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pack } from './pack.mjs';
import { command, root, started as run, sideBySide } from './tools.mjs';

const folder = mkdtempSync(join(tmpdir(), 'ctx-check-'));
let tarballs = [];

const script = (name, ...args) => run([join(root, `scripts/${name}.mjs`), ...args]);

/** Packs each package that is published, and checks what went in. */
async function packAll() {
  const { status, all, packed } = await pack(folder);
  if (status !== 0) return { status, all };
  tarballs = packed.map(({ tarball }) => tarball);
  return script('tarballs', ...packed.map(({ unpacked }) => unpacked));
}

/** What needs nothing but the build. What takes longest comes first. */
const checks = {
  pack: packAll,
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
  const attw = [command('@arethetypeswrong/cli', 'attw'), '--profile', 'esm-only', '--no-emoji'];
  const publint = [command('publint'), 'run'];
  return Object.fromEntries(
    tarballs.flatMap((tarball) => [
      [`attw ${basename(tarball)}`, () => quiet([...attw, tarball])],
      [`publint ${basename(tarball)}`, () => quiet([...publint, tarball, '--strict'])],
    ]),
  );
}

async function quiet(args) {
  const done = await run(args);
  return done.status === 0 ? { status: 0 } : done;
}

const failed = await sideBySide({ types: () => run([command('typescript', 'tsc'), '-b']) });
failed.push(...(await sideBySide({ bundles: () => script('bundle') })));
failed.push(...(await sideBySide(checks)));
console.log('── publint and attw');
failed.push(...(await sideBySide(ofTarballs())));
rmSync(folder, { recursive: true });

console.log(failed.length === 0 ? '\nEvery check passed.' : `\nFailed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
