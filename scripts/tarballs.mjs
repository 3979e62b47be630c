/**
 * Checks what is in the tarballs that would be published: licence, README, manifest, compiled code, and nothing else, so neither sources nor maps; a
 * manifest that says what a registry shows and names no folder of this repository; no word that only makes sense to us.
 * Usage: node scripts/tarballs.mjs FOLDER..., each with an unpacked tarball
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

const tops = ['LICENSE', 'README.md', 'package.json'];
const code = 'dist/index.d.ts';
const allowed =
  /^(dist\/.+\.(js|d\.ts)|dist\/(node|report)\/page\.css|config\.schema\.json|grammars\/.+\.(wasm|LICENSE))$/;
/** Those of the code that a bundle holds. */
const licences = ['dist/node/licences.txt', 'dist/count/encodings/licences.txt'];

/**
 * Names of our plans and papers, which say nothing to users: an id of a paragraph is a capital and a number. `D1:3` is the form of an id in
 * chats, no paragraph.
 */
const inside = [
  /\bseed[ -]\d{3}\b/i,
  /\b(?:issue|task) #?\d+\b/i,
  /\b(?:requirements|design|house|style)\.md\b/,
  /\b[A-EKPRSX]\d{1,2}\b(?![:\d])/,
  /\/(?:work|tmp)\/\w+/,
];

const dependencies = ['dependencies', 'peerDependencies', 'optionalDependencies'];
/** What a registry shows of a package. */
const shown = ['description', 'license', 'keywords'];

/** The files that the doors of a package name. */
function doors(folder) {
  if (!existsSync(join(folder, 'package.json'))) return [];
  const { exports, bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return [...Object.values(exports ?? {}).flatMap(Object.values), ...Object.values(bin ?? {})].map((file) =>
    file.replace(/^\.\//, ''),
  );
}

function* inManifest(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  for (const field of shown)
    if (manifest[field] === undefined || manifest[field].length === 0) yield `package.json has no ${field}`;
  for (const field of dependencies)
    for (const [name, range] of Object.entries(manifest[field] ?? {}))
      if (/^(?:workspace|catalog|file|link):/.test(range))
        yield `package.json depends on ${name} as ${range}, which no registry has`;
}

function* inCode(folder, path) {
  const [, map] = /\n\/\/# sourceMappingURL=(\S+)\s*$/.exec(readFileSync(join(folder, path), 'utf8')) ?? [];
  if (map !== undefined && !map.startsWith('data:') && !existsSync(join(folder, dirname(path), map)))
    yield `${path} names the map ${map}, which is not in the tarball`;
}

function* inText(folder, path) {
  for (const [at, line] of readFileSync(join(folder, path), 'utf8').split('\n').entries()) {
    for (const word of inside) {
      const [found] = word.exec(line) ?? [];
      if (found !== undefined) yield `${path}:${at + 1} says "${found}", a word of ours`;
    }
  }
}

function* offencesOf(folder) {
  const paths = readdirSync(folder, { recursive: true })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => statSync(join(folder, path)).isFile())
    .sort();
  for (const path of new Set([...tops, code, ...doors(folder)]))
    if (!paths.includes(path)) yield `the tarball lacks ${path}`;
  for (const path of paths)
    if (![...tops, ...licences].includes(path) && !allowed.test(path))
      yield `${path} does not belong in the tarball`;
  if (paths.includes('package.json')) yield* inManifest(folder);
  for (const path of paths) {
    if (/\.(js|d\.ts)$/.test(path)) yield* inCode(folder, path);
    if (/\.d\.ts$|^README\.md$/.test(path)) yield* inText(folder, path);
  }
}

for (const folder of process.argv.slice(2)) {
  const name = existsSync(join(folder, 'package.json'))
    ? JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).name
    : folder;
  for (const offence of offencesOf(folder)) {
    console.error(`${name}: ${offence}`);
    process.exitCode = 1;
  }
}
