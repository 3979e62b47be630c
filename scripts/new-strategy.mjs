/**
 * Makes the package of a new strategy from scripts/strategy-template, and adds it to whatever lists the strategies.
 * Usage: node scripts/new-strategy.mjs NAME
 */
import { copyFileSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { node, root } from './tools.mjs';

const [name = ''] = process.argv.slice(2);
const folder = join(root, 'packages', `strategy-${name}`);

function problem() {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
    return `"${name}" is no name for a strategy. Give one in kebab-case: npm run new-strategy -- newest-first`;
  return existsSync(folder)
    ? `There is a strategy "${name}" already, in packages/strategy-${name}.`
    : undefined;
}

const pascal = name.replace(/(?:^|-)(\w)/g, (_, letter) => letter.toUpperCase());
const camel = `${name[0]}${pascal.slice(1)}`;
/** In the order that the linter wants, which depends on the name. */
const exported = camel < 'register' ? ['OPTIONS', 'CAMEL', 'register'] : ['register', 'OPTIONS', 'CAMEL'];
const words = {
  EXPORTS: exported.join(', '),
  OPTIONS: 'type PASCALOptions',
  NAME: name,
  CAMEL: camel,
  PASCAL: pascal,
};

function write() {
  cpSync(join(root, 'scripts/strategy-template'), folder, { recursive: true });
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  for (const template of readdirSync(folder, { recursive: true }).filter((path) => path.endsWith('.txt'))) {
    const path = join(folder, template.slice(0, -'.txt'.length).replace('strategy.', `${name}.`));
    const text = readFileSync(join(folder, template), 'utf8');
    rmSync(join(folder, template));
    const filled = Object.entries(words).reduce((so, [word, value]) => so.replaceAll(word, value), text);
    writeFileSync(path, filled);
  }
}

const wrong = problem();
if (wrong !== undefined) {
  console.error(wrong);
  process.exit(1);
}
write();
console.log(`packages/strategy-${name} was made.`);
process.exitCode = node([join(root, 'scripts/strategies.mjs'), '--lists']);
