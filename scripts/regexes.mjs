/**
 * Checks every regular expression of the packages, the scripts and the examples for inputs that take more than linear time, and
 * prints file:line for each that has one, or can't be judged, and is not excused in regex-exceptions.mjs.
 * Usage: node scripts/regexes.mjs [root] [--all] [--record]
 * Verdicts are recorded in regex-verdicts.json; only those of new expressions are computed. --all computes every one and complains where
 * the record says something else; --record keeps what was found.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { packagesIn } from './packages.cjs';
import { exceptions } from './regex-exceptions.mjs';
import { expressionsIn } from './regex-expressions.mjs';
import { computeVerdicts, keyOf, recordedVerdicts, recordVerdicts } from './regex-verdicts.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { all: { type: 'boolean', default: false }, record: { type: 'boolean', default: false } },
});
const root = resolve(positionals[0] ?? '.');
const isOwn = root === fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '');
const excuses = isOwn ? exceptions : [];
const recordFile = fileURLToPath(new URL('regex-verdicts.json', import.meta.url));
const { version } = createRequire(import.meta.url)('recheck/package.json');

/** Tests and their regular expressions see what they wrote themselves. */
const unchecked = new Set(['node_modules', 'test', 'dist']);

function sourcesIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return unchecked.has(entry.name) ? [] : sourcesIn(path);
    return /\.m?[jt]s$/.test(entry.name) ? [path] : [];
  });
}

const folders = [...packagesIn(root).map(({ folder }) => `${folder}/src`), 'scripts', 'examples'];
const expressions = folders
  .flatMap((folder) => sourcesIn(join(root, folder)))
  .flatMap((file) =>
    expressionsIn(readFileSync(file, 'utf8')).map((one) => ({
      ...one,
      file: relative(root, file).replaceAll('\\', '/'),
    })),
  );

const known = new Map(expressions.filter(({ isKnown }) => isKnown).map((one) => [keyOf(one), one]));
const recorded = recordedVerdicts(recordFile, version);
const missing = [...known.values()].filter((one) => values.all || !recorded.has(keyOf(one)));
const computed = await computeVerdicts(missing);
const verdictOf = (key) => computed.get(key) ?? recorded.get(key);

const offences = [];
for (const one of expressions) {
  const { file, line, pattern, isKnown } = one;
  const verdict = isKnown ? verdictOf(keyOf(one)) : undefined;
  if (verdict === 'safe' || excuses.some((excuse) => excuse.file === file && excuse.pattern === pattern))
    continue;
  offences.push(`${file}:${line} ${isKnown ? keyOf(one) : pattern} ${saidOf(verdict)}`);
}
for (const { file, pattern } of excuses) {
  const excused = expressions.filter((one) => one.file === file && one.pattern === pattern);
  if (excused.length === 0) offences.push(`${file} /${pattern}/ is excused but not there`);
  else if (excused.every((one) => one.isKnown && verdictOf(keyOf(one)) === 'safe'))
    offences.push(`${file} /${pattern}/ is excused and needs no excuse`);
}
// How far the checker gets within its time depends on the machine.
for (const [key, verdict] of values.record ? [] : computed) {
  const before = recorded.get(key);
  if (before !== undefined && before !== verdict && verdict !== 'timeout' && before !== 'timeout')
    offences.push(`regex-verdicts.json has "${before}" for ${key}, which is "${verdict}"`);
}
if (values.record)
  recordVerdicts(
    recordFile,
    version,
    [...known.keys()].map((key) => [key, verdictOf(key)]),
  );
for (const offence of offences.sort()) console.error(offence);
console.log(
  `${expressions.length} regular expressions, ${excuses.length} excused, ${computed.size} verdicts computed${values.record || computed.size === 0 || values.all ? '' : ' (--record keeps them)'}`,
);
process.exitCode = offences.length === 0 ? 0 : 1;

function saidOf(verdict) {
  if (verdict === undefined) return 'is known only when it runs';
  return verdict === 'timeout' || verdict === 'unsupported'
    ? `can't be judged (${verdict})`
    : `takes ${verdict} time`;
}
