import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { command, node, npm, packages, readJson, root } from './tools.mjs';

const published = packages.filter((one) => readJson(join(one, 'package.json')).private !== true);
const folder = mkdtempSync(join(tmpdir(), 'ctx-check-'));
const attw = [command('@arethetypeswrong/cli', 'attw'), '--profile', 'esm-only', '--no-emoji'];

function eachTarball(run) {
  const tarballs = readdirSync(folder);
  const failures = tarballs.filter((name) => node(run(join(folder, name)), { quiet: true }) !== 0);
  return tarballs.length === published.length && failures.length === 0 ? 0 : 1;
}

/** Packs each package that is published, and checks which files went in. */
function pack() {
  const args = [npm(), 'pack', '--json', '--loglevel=error', '--pack-destination', folder, ...published];
  const packed = spawnSync(process.execPath, args, { cwd: root, maxBuffer: 2 ** 26 });
  if (packed.status !== 0) {
    process.stderr.write(packed.stderr);
    return 1;
  }
  const script = join(root, 'scripts/tarballs.mjs');
  return spawnSync(process.execPath, [script], {
    input: packed.stdout,
    stdio: ['pipe', 'inherit', 'inherit'],
  }).status;
}

const steps = {
  types: () => node([command('typescript', 'tsc'), '-b']),
  bundles: () => node([join(root, 'scripts/bundle.mjs')]),
  generated: () => node([join(root, 'scripts/strategies.mjs'), '--check']),
  biome: () => node([command('@biomejs/biome', 'biome'), 'check', '--error-on-warnings']),
  boundaries: () => node([join(root, 'scripts/boundaries.mjs'), root]),
  lengths: () => node([join(root, 'scripts/lengths.mjs'), root]),
  constants: () => node([join(root, 'scripts/constants.mjs'), root]),
  rooms: () => node([join(root, 'scripts/readme-rooms.mjs'), root]),
  errors: () => node([join(root, 'scripts/error-codes.mjs'), root]),
  api: () => node([join(root, 'scripts/api.mjs'), root]),
  regexes: () => node([join(root, 'scripts/regexes.mjs'), root]),
  knip: () => node([command('knip'), '--no-config-hints']),
  sizes: () => node([join(root, 'scripts/sizes.mjs'), root]),
  manifests: () => node([join(root, 'scripts/manifests.mjs'), root]),
  pack,
  publint: () => eachTarball((file) => [command('publint'), 'run', file, '--strict']),
  attw: () => eachTarball((file) => [...attw, file]),
};

const failed = [];
for (const [name, run] of Object.entries(steps)) {
  console.log(`── ${name}`);
  if (run() !== 0) failed.push(name);
}
rmSync(folder, { recursive: true });

console.log(failed.length === 0 ? '\nEvery check passed.' : `\nFailed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
