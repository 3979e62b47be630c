/**
 * Checks which files went into each tarball: licence, README, manifest and compiled code and grammars with the
 * licences of what was bundled, and nothing else.
 * Usage: npm pack --json ... | node scripts/tarballs.mjs
 */
import { readFileSync } from 'node:fs';

const tops = ['LICENSE', 'README.md', 'package.json'];
const code = ['dist/index.js', 'dist/index.d.ts'];
const compiled = /^(dist\/(.+\.(js|d\.ts)(\.map)?|node\/licences\.txt)|grammars\/.+\.(wasm|LICENSE))$/;

function offencesOf({ name, files }) {
  const paths = files.map(({ path }) => path);
  const missing = [...tops, ...code].filter((path) => !paths.includes(path));
  const foreign = paths.filter((path) => !tops.includes(path) && !compiled.test(path));
  return [
    ...missing.map((path) => `${name}: the tarball lacks ${path}`),
    ...foreign.map((path) => `${name}: ${path} does not belong in the tarball`),
  ];
}

const offences = JSON.parse(readFileSync(0, 'utf8')).flatMap(offencesOf);
for (const offence of offences) console.error(offence);
process.exitCode = offences.length === 0 ? 0 : 1;
