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

/**
 * Writes `packages/KIND-NAME`. In the template NAME is the name in kebab-case, also in the names of files, and CAMEL and PASCAL are the name
 * in code. Prints what is wrong with a name, and ends the program.
 */
export function newPackage(kind, name) {
  const folder = join(root, 'packages', `${kind}-${name}`);
  const wrong = problem(kind, name, folder);
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
  console.log(`packages/${kind}-${name} was made.`);
}

function problem(kind, name, folder) {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
    return `"${name}" is no name for a ${kind}. Give one in kebab-case: npm run new-${kind} -- my-${kind}`;
  return existsSync(folder)
    ? `There is a ${kind} "${name}" already, in packages/${kind}-${name}.`
    : undefined;
}
