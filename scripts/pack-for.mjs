/**
 * Packs what a project of yours needs, as long as no registry has it: tarballs in its folder `ctx-packages`, and in its package.json what makes
 * them find each other. Prints the command that installs. Writes nothing else.
 * Usage: npm run pack -- FOLDER [PACKAGE...], by default those that fit the dependencies of the project
 *   --look  only looks whether the project can have them, before anything is built
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
import { parseArgs } from 'node:util';
import { packInto } from './pack.mjs';
import { published, readJson } from './tools.mjs';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { look: { type: 'boolean' } } });
const [target, ...asked] = positionals;
const tarballs = 'ctx-packages';

/** Of ours, what fits a dependency of the project. */
const fitting = { ai: '@ctx/ai-sdk', langchain: '@ctx/langchain' };
/** What every project gets that names no package: the one line for a client, and what strategies are written with. */
const always = ['@ctx/fetch', '@ctx/core', '@ctx/presets'];

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

const manifests = new Map(
  published.map((folder) => {
    const manifest = readJson(join(folder, 'package.json'));
    return [manifest.name, { folder, manifest }];
  }),
);

/** Packages with those of ours that they depend on. */
function withOwn(names) {
  const all = new Set(names);
  for (const name of all)
    for (const dependency of Object.keys(manifests.get(name).manifest.dependencies ?? {}))
      if (manifests.has(dependency)) all.add(dependency);
  return [...all].sort();
}

function namesFor({ dependencies, devDependencies }) {
  const there = { ...dependencies, ...devDependencies };
  const found = Object.keys(fitting).filter((name) => Object.hasOwn(there, name));
  if (found.length > 0) console.log(`The project uses ${found.join(' and ')}.`);
  return [...always, ...found.map((name) => fitting[name])];
}

/** Tells a package apart from an earlier one of the same version, which lockfiles and caches would take it for. */
const hashOf = (file) => createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 8);

if (target === undefined) fail('Say for which project: npm run pack -- ../my-agent');
const project = resolve(target);
const { manifest, indent } = manifestOf(project);
const unknown = asked.find((name) => !manifests.has(name));
if (unknown !== undefined)
  fail(`There is no package ${unknown}. There are: ${[...manifests.keys()].join(', ')}.`);
if (values.look) process.exit();
const names = asked.length === 0 ? namesFor(manifest) : asked;
const folder = mkdtempSync(join(tmpdir(), 'ctx-pack-'));
process.on('exit', () => rmSync(folder, { recursive: true }));
const { status, all, packed } = await packInto(
  folder,
  withOwn(names).map((name) => manifests.get(name).folder),
);
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
console.log(`${names.join(', ')}, with what they need: ${packed.length} packages in ${join(project, tarballs)}. In ${project}, install them:

  ${manager} install

Then run TypeScript with \`npx tsx agent.mts\`.`);
