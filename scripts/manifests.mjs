/**
 * Checks what each package needs before it is published: its manifest, its README and its copy of the licence. Skips private packages.
 * Usage: node scripts/manifests.mjs [root] [--write]; with --write it copies LICENSE and its name from the root, and says how to publish.
 */
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { packagesIn } from './packages.cjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean' } },
});
const root = resolve(positionals[0] ?? '.');

const read = (path) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '');
const own = JSON.parse(read('package.json'));

/** No place of ours is public yet, so a manifest names none. */
const places = ['homepage', 'bugs', 'repository'];

/** Fields whose values follow from the root and the folder. */
const sharedBy = (folder) => ({
  license: own.license,
  author: own.author,
  // Only pnpm packs versions of the other packages.
  scripts: { prepack: `node ${posix.relative(folder, 'scripts/only-pnpm.mjs')}` },
  publishConfig: { access: 'public' },
});
const published = ['dist'];

function write(folder) {
  copyFileSync(join(root, 'LICENSE'), join(root, folder, 'LICENSE'));
  const manifest = JSON.parse(read(`${folder}/package.json`));
  Object.assign(manifest, sharedBy(folder));
  manifest.files = [...new Set([...published, ...(manifest.files ?? [])])];
  writeFileSync(join(root, folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

function* offencesOf(folder) {
  const manifest = JSON.parse(read(`${folder}/package.json`));
  const file = `${folder}/package.json`;
  for (const [field, value] of Object.entries(sharedBy(folder))) {
    if (!isDeepStrictEqual(manifest[field], value))
      yield `${file}: ${field} is not ${JSON.stringify(value)}; run node scripts/manifests.mjs --write`;
  }
  for (const field of places)
    if (manifest[field] !== undefined) yield `${file}: ${field} names a place that nobody has yet`;
  if (!manifest.description) yield `${file}: description is missing`;
  if (!(manifest.keywords?.length > 0)) yield `${file}: keywords are missing`;
  for (const name of published)
    if (!manifest.files?.includes(name)) yield `${file}: files does not list ${name}`;
  if (read(`${folder}/README.md`).trim() === '') yield `${folder}/README.md: is missing or empty`;
  if (read(`${folder}/LICENSE`) !== read('LICENSE')) {
    yield `${folder}/LICENSE: differs from the root's; run node scripts/manifests.mjs --write`;
  }
}

const folders = packagesIn(root)
  .map(({ folder }) => folder)
  .filter((folder) => existsSync(join(root, folder, 'package.json')))
  .filter((folder) => JSON.parse(read(`${folder}/package.json`)).private !== true);
if (values.write) folders.forEach(write);

const offences = folders.flatMap((folder) => [...offencesOf(folder)]);
for (const offence of offences) console.error(offence);
process.exitCode = offences.length === 0 ? 0 : 1;
