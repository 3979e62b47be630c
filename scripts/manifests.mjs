/**
 * Checks what each package needs before it is published: its manifest, its README and its copy of the licence. Skips private packages.
 * Usage: node scripts/manifests.mjs [root] [--write]; with --write it copies LICENSE, licence and repository from the root.
 */
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean' } },
});
const root = resolve(positionals[0] ?? '.');

const read = (path) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '');
const own = JSON.parse(read('package.json'));
const shared = ['license', 'repository'];

function write(folder) {
  copyFileSync(join(root, 'LICENSE'), join(root, folder, 'LICENSE'));
  const manifest = JSON.parse(read(`${folder}/package.json`));
  for (const field of shared) manifest[field] = own[field];
  writeFileSync(join(root, folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

function* offencesOf(folder) {
  const manifest = JSON.parse(read(`${folder}/package.json`));
  const file = `${folder}/package.json`;
  for (const field of shared) {
    if (JSON.stringify(manifest[field]) !== JSON.stringify(own[field])) {
      yield `${file}: ${field} differs from the root's; run node scripts/manifests.mjs --write`;
    }
  }
  if (!manifest.description) yield `${file}: description is missing`;
  if (!(manifest.keywords?.length > 0)) yield `${file}: keywords are missing`;
  if (!manifest.files?.includes('dist')) yield `${file}: files does not list dist`;
  if (read(`${folder}/README.md`).trim() === '') yield `${folder}/README.md: is missing or empty`;
  if (read(`${folder}/LICENSE`) !== read('LICENSE')) {
    yield `${folder}/LICENSE: differs from the root's; run node scripts/manifests.mjs --write`;
  }
}

const folders = readdirSync(join(root, 'packages'))
  .map((name) => `packages/${name}`)
  .filter((folder) => existsSync(join(root, folder, 'package.json')))
  .filter((folder) => JSON.parse(read(`${folder}/package.json`)).private !== true);
if (values.write) folders.forEach(write);

const offences = folders.flatMap((folder) => [...offencesOf(folder)]);
for (const offence of offences) console.error(offence);
process.exitCode = offences.length === 0 ? 0 : 1;
