/**
 * Makes the package of a new codec from scripts/codec-template, and adds it to whatever lists the codecs.
 * Usage: node scripts/new-codec.mjs NAME
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newPackage } from './new-package.mjs';
import { node, root } from './tools.mjs';

const [name = ''] = process.argv.slice(2);
newPackage('codec', name);

const index = join(root, 'docs/README.md');
const lines = readFileSync(index, 'utf8').split('\n');
const last = lines.findLastIndex((line) => line.startsWith('- [`@ctx/codec-'));
const line = `- [\`@ctx/codec-${name}\`](../packages/codecs/${name}/README.md): the turns of ${name}`;
writeFileSync(index, lines.toSpliced(last + 1, 0, line).join('\n'));
process.exitCode = node([join(root, 'scripts/strategies.mjs'), '--lists']);
