/** Makes the package of a new strategy or codec from its template, scripts/strategy-template or scripts/codec-template. */
import {
  copyFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { command, node, root } from './tools.mjs';

const storeys = { strategy: 'packages/strategies', codec: 'packages/codecs' };

/**
 * Writes `packages/strategies/NAME` or `packages/codecs/NAME`. In the template NAME is the name in kebab-case, also in the names of files, and CAMEL and PASCAL are the name
 * in code. Prints what is wrong with a name, and ends the program.
 */
export function newPackage(kind, name) {
  const place = `${storeys[kind]}/${name}`;
  const folder = join(root, place);
  const wrong = problem(kind, name, place);
  if (wrong !== undefined) {
    console.error(wrong);
    process.exit(1);
  }
  const pascal = name.replace(/(?:^|-)(\w)/g, (_, letter) => letter.toUpperCase());
  const words = { NAME: name, CAMEL: `${name[0]}${pascal.slice(1)}`, PASCAL: pascal };
  cpSync(join(root, `scripts/${kind}-template`), folder, { recursive: true });
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  for (const template of readdirSync(folder, { recursive: true }).filter((path) => path.endsWith('.txt'))) {
    const path = join(folder, template.slice(0, -'.txt'.length).replace('NAME', name));
    renameSync(join(folder, template), path);
    const text = readFileSync(path, 'utf8');
    writeFileSync(
      path,
      Object.entries(words).reduce((so, [word, value]) => so.replaceAll(word, value), text),
    );
  }
  // The width of lines and the order of names depend on the name.
  const status = node([command('@biomejs/biome', 'biome'), 'check', '--write', folder]);
  if (status !== 0) process.exit(status);
  console.log(`${place} was made.`);
}

function problem(kind, name, place) {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
    return `"${name}" is no name for a ${kind}. Give one in kebab-case: npm run new-${kind} -- my-${kind}`;
  return existsSync(join(root, place)) ? `There is a ${kind} "${name}" already, in ${place}.` : undefined;
}
