/**
 * Judges what would be published, and publishes it: builds from nothing, packs with pnpm, checks those tarballs, installs them into fresh projects
 * of eight kinds and runs the README there. Then publishes with a statement of provenance, which only CI can make.
 * Usage: npm run release -- --dry-run; without --dry-run in CI only
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { freshProjects } from './fresh-projects.mjs';
import { judgesOf } from './judge-tarballs.mjs';
import { pack } from './pack.mjs';
import { command, node, npm, packageManager, root, sideBySide } from './tools.mjs';

/** Packs and judges; returns the names of the checks that failed. */
async function judged(folder) {
  const { status, all = '', packed } = await pack(join(folder, 'tarballs'));
  if (status !== 0) {
    process.stdout.write(all);
    return ['pack'];
  }
  console.log(`${packed.length} tarballs, packed with pnpm`);
  const failed = await sideBySide(judgesOf(packed));
  const projects = await freshProjects(join(folder, 'fresh'), packed);
  console.log(`their files, publint and attw; ${Object.keys(projects).join(', ')}`);
  return [...failed, ...(await sideBySide(projects))];
}

/** Changesets publishes with the package manager that it finds, so pnpm has to be on the PATH. */
function publish() {
  const changeset = [command('@changesets/cli', 'changeset'), 'publish'];
  const args = [npm(), 'exec', '--yes', `--package=${packageManager}`, '--', 'node', ...changeset];
  return node(args, { env: { NPM_CONFIG_PROVENANCE: 'true' } });
}

/** What keeps this process from publishing. */
function obstacle() {
  if (process.env.GITHUB_ACTIONS === 'true' && process.env.ACTIONS_ID_TOKEN_REQUEST_URL !== undefined)
    return undefined;
  return 'Only CI publishes: provenance says which commit and workflow made a package, and needs the right id-token: write of GitHub Actions. Start the workflow "Release", or try everything else with npm run release -- --dry-run.';
}

const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean', default: false } } });
const refused = values['dry-run'] ? undefined : obstacle();
if (refused !== undefined) {
  console.error(refused);
  process.exit(1);
}
if (node([join(root, 'scripts/run.mjs'), 'build']) !== 0) process.exit(1);
const folder = mkdtempSync(join(tmpdir(), 'ctx-release-'));
let failed;
try {
  failed = await judged(folder);
} finally {
  rmSync(folder, { recursive: true });
}
if (failed.length > 0) console.error(`\nFailed: ${failed.join(', ')}. Nothing was published.`);
else if (values['dry-run']) console.log('\nEverything is ready. Nothing was published.');
process.exitCode = failed.length > 0 ? 1 : values['dry-run'] ? 0 : publish();
