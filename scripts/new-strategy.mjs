/**
 * Makes the package of a new strategy from scripts/strategy-template, and adds it to whatever lists the strategies.
 * Usage: node scripts/new-strategy.mjs NAME
 */
import { join } from 'node:path';
import { newPackage } from './new-package.mjs';
import { node, root } from './tools.mjs';

const [name = ''] = process.argv.slice(2);
newPackage('strategy', name);
process.exitCode = node([join(root, 'scripts/strategies.mjs'), '--lists']);
