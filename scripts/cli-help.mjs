/**
 * Writes what the command says of itself into its README, between `<!-- help NAME:start -->` and `<!-- help NAME:end -->`; without a name
 * the help of all. A test holds it.
 * Usage: node scripts/cli-help.mjs, after a build
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './tools.mjs';

const file = join(root, 'packages/tools/cli/README.md');
const bin = join(root, 'packages/tools/cli/dist/bin.js');

const helpOf = (name) =>
  execFileSync(process.execPath, [bin, ...name.split(' ').filter(Boolean), '--help'], {
    encoding: 'utf8',
    env: { ...process.env, COLUMNS: '100', NO_COLOR: '1' },
  }).trim();

const [before, ...blocks] = readFileSync(file, 'utf8').split('<!-- help');
const text = blocks.map((block) => {
  const [, name, edge] = /^ ?(\w*):(start|end) -->/.exec(block) ?? [];
  if (edge !== 'start') return `<!-- help${block}`;
  return `<!-- ${`help ${name}`.trim()}:start -->\n\`\`\`\n${helpOf(name)}\n\`\`\`\n`;
});
writeFileSync(file, [before, ...text].join(''));
