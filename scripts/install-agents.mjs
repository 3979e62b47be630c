/**
 * Installs the Claude Code that the mod is tested with into node_modules/.cache/ctx-agents: 400 MB, so only those who ask for it have it. Does nothing
 * if that version is there, and says so if it can't be had: its tests are skipped then.
 * Usage: node scripts/install-agents.mjs
 */
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { node, npm, readJson, root } from './tools.mjs';

const pinned = join(root, 'packages/adapters/claude-code/test/program');
const cache = join(root, 'node_modules/.cache/ctx-agents');
const versionIn = (lockfile) =>
  existsSync(lockfile)
    ? readJson(lockfile).packages['node_modules/@anthropic-ai/claude-code']?.version
    : undefined;
const version = versionIn(join(pinned, 'package-lock.json'));
/** What npm writes when it is done. */
const installed = () => versionIn(join(cache, 'node_modules/.package-lock.json'));

if (installed() !== version) {
  mkdirSync(cache, { recursive: true });
  for (const file of ['package.json', 'package-lock.json'])
    copyFileSync(join(pinned, file), join(cache, file));
  node([npm(), 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: cache });
}
console.log(
  installed() === version
    ? `Claude Code ${version} is installed.`
    : `Claude Code ${version} could not be installed. Its tests are skipped.`,
);
