/**
 * Packs the published packages for a project of yours, as long as no registry has them: tarballs in its folder `ctx-packages`, and in its
 * package.json what makes them find each other. Prints the command that installs. Writes nothing else.
 * Usage: npm run pack -- FOLDER [PACKAGE...], by default @ctx/fetch
 */
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { pack } from './pack.mjs';
import { published, readJson } from './tools.mjs';

const [target, ...asked] = process.argv.slice(2);
const names = asked.length === 0 ? ['@ctx/fetch'] : asked;
const tarballs = 'ctx-packages';

/** Where each package manager looks for what to take in place of a version. */
const managers = { npm: ['overrides'], pnpm: ['pnpm', 'overrides'], yarn: ['resolutions'] };

function fail(problem) {
  console.error(problem);
  process.exit(2);
}

function manifestOf(folder) {
  const file = join(folder, 'package.json');
  if (!existsSync(file))
    fail(`${folder}: there is no package.json. Make one with \`npm init -y\` in that folder.`);
  const text = readFileSync(file, 'utf8');
  try {
    const manifest = JSON.parse(text);
    if (typeof manifest !== 'object' || manifest === null || Array.isArray(manifest))
      throw new Error('no object');
    return { manifest, indent: /\n([ \t]+)"/.exec(text)?.[1] ?? '  ' };
  } catch (error) {
    return fail(
      `${file}: this is not the JSON of a manifest (${error.message}). Mend it first; nothing was written.`,
    );
  }
}

function managerOf(folder, { packageManager = '' }) {
  const [named] = packageManager.split('@');
  if (Object.hasOwn(managers, named)) return named;
  if (existsSync(join(folder, 'pnpm-lock.yaml'))) return 'pnpm';
  return existsSync(join(folder, 'yarn.lock')) ? 'yarn' : 'npm';
}

/** Tells a package apart from an earlier one of the same version, which lockfiles and caches would take it for. */
const hashOf = (file) => createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 8);

if (target === undefined) fail('Say for which project: npm run pack -- ../my-agent');
const project = resolve(target);
const { manifest, indent } = manifestOf(project);
const known = published.map((one) => readJson(join(one, 'package.json')).name);
const unknown = names.find((name) => !known.includes(name));
if (unknown !== undefined) fail(`There is no package ${unknown}. There are: ${known.join(', ')}.`);
const folder = mkdtempSync(join(tmpdir(), 'ctx-pack-'));
process.on('exit', () => rmSync(folder, { recursive: true }));
const { status, all, packed } = await pack(folder);
if (status !== 0) fail(all);

rmSync(join(project, tarballs), { recursive: true, force: true });
mkdirSync(join(project, tarballs));
const files = {};
for (const { name, tarball } of packed) {
  const file = `${basename(tarball, '.tgz')}-${hashOf(tarball)}.tgz`;
  copyFileSync(tarball, join(project, tarballs, file));
  files[name] = `file:${tarballs}/${file}`;
}

const manager = managerOf(project, manifest);
let overrides = manifest;
for (const key of managers[manager]) {
  overrides[key] = { ...overrides[key] };
  overrides = overrides[key];
}
Object.assign(overrides, files);
manifest.dependencies = {
  ...manifest.dependencies,
  ...Object.fromEntries(names.map((name) => [name, files[name]])),
};
writeFileSync(join(project, 'package.json'), `${JSON.stringify(manifest, null, indent)}\n`);
console.log(`${packed.length} packages are in ${join(project, tarballs)}. Install them, in ${project}:

  ${manager} install
`);
