import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { judgesOf } from './judge-tarballs.mjs';
import { pack } from './pack.mjs';
import { command, root, started as run, sideBySide } from './tools.mjs';

const folder = mkdtempSync(join(tmpdir(), 'ctx-check-'));
let packed = [];

const script = (name, ...args) => run([join(root, `scripts/${name}.mjs`), ...args]);

async function packAll() {
  const done = await pack(folder);
  packed = done.packed;
  return done;
}

/** What needs nothing but the build. What takes longest comes first. */
const checks = {
  pack: packAll,
  biome: () => run([command('@biomejs/biome', 'biome'), 'check', '--error-on-warnings']),
  knip: () => run([command('knip'), '--no-config-hints']),
  regexes: () => script('regexes', root),
  generated: () => script('strategies', '--check'),
  'config keys': () => script('config-keys', '--check'),
  boundaries: () => script('boundaries', root),
  mod: () => script('mod', '--check'),
  lengths: () => script('lengths', root),
  'line budgets': () => script('line-budgets', root),
  constants: () => script('constants', root),
  api: () => script('api', root),
  sizes: () => script('sizes', root),
  manifests: () => script('manifests', root),
};

const failed = await sideBySide({ types: () => run([command('typescript', 'tsc'), '-b']) });
failed.push(...(await sideBySide({ bundles: () => script('bundle') })));
failed.push(...(await sideBySide(checks)));
console.log('── tarballs: their files, publint and attw');
failed.push(...(await sideBySide(judgesOf(packed))));
rmSync(folder, { recursive: true });

console.log(failed.length === 0 ? '\nEvery check passed.' : `\nFailed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
