/**
 * Checks what each package may depend on, import and name, and prints file:line for every offence.
 * Usage: node scripts/boundaries.mjs [root]
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rulesOf, storeys } from './dependencies.mjs';
import { packagesIn } from './packages.cjs';

const root = resolve(process.argv[2] ?? '.');

const withoutNode = /^(core|strategy-.*|codec-.*|presets|excerpt)$/;
/** Folders behind a port, which may use Node; the strategies themselves may not import them. */
const outside = { 'strategy-file-folding': ['folder', 'folder-reader.ts', 'definitions/parse.ts'] };
const strategyFile = /\b(?:registerStrategy|strategyFactory)\b/;
/** The rooms of core; each may import those above it only. Everybody outside uses its doors. */
const rooms = ['base', 'transcript', 'count', 'view', 'budget', 'kit', 'config', 'compress', 'manager'];
const doors = ['index.ts', 'kit.ts', 'codec.ts', 'light.ts', 'zod.ts'];
const onlyInCore = ['tsyringe', 'reflect-metadata'];
const builtins = new Set(builtinModules);

/** Every strategy of this repository, whatever the tree that is looked at. */
const strategies = packagesIn(join(dirname(fileURLToPath(import.meta.url)), '..'))
  .map(({ name }) => name)
  .filter((name) => name.startsWith('strategy-'))
  .map((name) => name.slice('strategy-'.length));
/** Words that core has for things of its own; as a strategy's name it may not use them either. */
const ownWords = ['importance', 'tool-results'];
const strategyNames = strategies.map((name) => {
  const spaced = name.replaceAll('-', '[- _]?');
  return ownWords.includes(name) ? `strategy[-/]${spaced}|${spaced}[- _]?strategy` : spaced;
});
/** Products whose ideas are in here; what a reader can open is named in the documents. */
const products = [
  'roo[- _]?code',
  '\\broo\\b',
  'cipher(?![\'"])',
  'byterover',
  '\\bsnow\\b',
  '\\bcline\\b',
  '\\bseeds? [0-9]{3}\\b',
];

/** What core never names: strategies, providers, models, products. */
const named = [
  ...strategyNames,
  ...products,
  'open[- _]?ai',
  'anthropic',
  'claude',
  'gemini',
  'google',
  'bedrock',
  'azure',
  'ollama',
  'lm[- _]?studio',
  'openrouter',
  'mistral',
  'llama',
  'qwen',
  'deepseek',
  'sonnet',
  'haiku',
  '\\bgpt-?[0-9]',
  '\\bo[134][-*]',
];
const names = new RegExp(named.join('|'), 'gi');

const packages = packagesIn(root);
const offences = [];

const read = (file) => readFileSync(file, 'utf8');
const lineAt = (text, index) => text.slice(0, index).split('\n').length;
const report = (file, line, message) =>
  offences.push({ file: relative(root, file).split(sep).join('/'), line, message });

function sourcesIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory())
      return ['node_modules', 'dist', 'fixtures'].includes(entry.name) ? [] : sourcesIn(path);
    return /\.[cm]?[jt]sx?$/.test(entry.name) ? [path] : [];
  });
}

const commentsAndStrings =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`/g;
const importForms = [
  /^[ \t]*(?:import|export)\b(?:[^'"`;]*?\bfrom)?\s*['"]([^'"\n]+)['"]/gm,
  /\b(?:import|import\.meta\.resolve|require|require\.resolve|jest\.\w+)\s*\(\s*['"]([^'"\n]+)['"]/g,
];

function importsOf(text) {
  const code = text.replace(commentsAndStrings, (token) =>
    /^\/[/*]/.test(token) ? token.replace(/[^\n]/g, ' ') : token,
  );
  return importForms.flatMap((form) =>
    [...code.matchAll(form)].map((match) => {
      const specifier = match[1];
      return { specifier, line: lineAt(code, match.index + match[0].lastIndexOf(specifier)) };
    }),
  );
}

const packageOf = (specifier) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
const isBuiltin = (specifier) => specifier.startsWith('node:') || builtins.has(specifier);
const allows = (rules, dependency) =>
  rules.some((rule) => (typeof rule === 'string' ? rule === dependency : rule.test(dependency)));

/** The storey of one of our packages, counted from the lowest; -1 for one that lies in none. */
const storeyOf = (folder) => storeys.indexOf(folder.split('/')[1]);

function isAbove(dependency, storey) {
  const other = packages.find(({ name }) => `@ctx/${name}` === dependency);
  return other !== undefined && storeyOf(other.folder) > storey;
}

function checkManifest(name, folder, storey) {
  const file = join(folder, 'package.json');
  if (!existsSync(file)) return;
  const text = read(file);
  const manifest = JSON.parse(text);
  for (const field of ['dependencies', 'peerDependencies', 'optionalDependencies']) {
    for (const dependency of Object.keys(manifest[field] ?? {})) {
      const line = lineAt(text, text.indexOf(`"${dependency}"`, text.indexOf(`"${field}"`)));
      if (!allows(rulesOf(name), dependency))
        report(file, line, `@ctx/${name} may not depend on ${dependency}`);
      else if (isAbove(dependency, storey))
        report(file, line, `@ctx/${name} may not depend on ${dependency}, which lies in a storey above`);
    }
  }
}

function checkRelative(file, folder, { specifier, line }) {
  const target = relative(folder, resolve(dirname(file), specifier));
  if (target.split(sep)[0] === '..') report(file, line, `relative import of another package: ${specifier}`);
}

/** True for a file behind a port. */
function isOutside(name, path, folder) {
  return (outside[name] ?? []).some((allowed) => {
    const inner = relative(join(folder, 'src', allowed), path.replace(/\.js$/, '.ts'));
    return inner === '' || inner.split(sep)[0] !== '..';
  });
}

function checkSource(name, file, folder) {
  const text = read(file);
  for (const found of importsOf(text)) {
    const { specifier, line } = found;
    if (specifier.startsWith('.')) {
      checkRelative(file, folder, found);
      if (strategyFile.test(text) && isOutside(name, resolve(dirname(file), specifier), folder))
        report(file, line, `a strategy may not import what uses Node: ${specifier}`);
    } else if (isBuiltin(specifier)) {
      if (withoutNode.test(name) && !isOutside(name, file, folder))
        report(file, line, `@ctx/${name} may not import ${specifier}`);
    } else {
      if (!allows(rulesOf(name), packageOf(specifier)))
        report(file, line, `@ctx/${name} may not import ${specifier}`);
    }
  }
}

const scripts = join(root, 'scripts');

/** Tests and examples may use any package and the scripts, but neither the inside of a package nor a second DI container. */
function checkOutside(file, folder, forbidden = onlyInCore) {
  for (const found of importsOf(read(file))) {
    const { specifier, line } = found;
    if (specifier.startsWith('.')) {
      if (dirname(resolve(dirname(file), specifier)) !== scripts) checkRelative(file, folder, found);
    } else if (forbidden.includes(packageOf(specifier)))
      report(file, line, `only core may import ${specifier}`);
  }
}

/** A room of core imports no room below it, and nothing in a room imports a door. */
function checkRooms(file, folder) {
  const roomOf = (path) => relative(join(folder, 'src'), path).split(sep)[0];
  const room = roomOf(file);
  if (doors.includes(room)) return;
  if (!rooms.includes(room)) {
    report(file, 1, `core has no room or door "${room}"; those it has are listed in scripts/boundaries.mjs`);
    return;
  }
  for (const { specifier, line } of importsOf(read(file))) {
    if (!specifier.startsWith('.')) continue;
    const other = roomOf(resolve(dirname(file), specifier));
    if (rooms.indexOf(other) > rooms.indexOf(room) || !rooms.includes(other))
      report(file, line, `core's room "${room}" may not import ${other}`);
  }
}

function checkNames(file) {
  const text = read(file);
  for (const { 0: name, index } of text.matchAll(names)) {
    report(file, lineAt(text, index), `core names a strategy, a provider, a model or a product: ${name}`);
  }
}

for (const { name, folder: place } of packages) {
  const folder = join(root, place);
  const storey = storeyOf(place);
  if (storey < 0)
    report(join(folder, 'package.json'), 1, `@ctx/${name} lies in none of the storeys ${storeys.join(', ')}`);
  if (rulesOf(name) === undefined) {
    report(join(folder, 'package.json'), 1, `@ctx/${name} is missing in the table of scripts/boundaries.mjs`);
    continue;
  }
  checkManifest(name, folder, storey);
  for (const file of sourcesIn(join(folder, 'src'))) {
    checkSource(name, file, folder);
    if (name !== 'core') continue;
    checkNames(file);
    checkRooms(file, folder);
  }
  for (const file of sourcesIn(join(folder, 'test'))) {
    checkOutside(file, folder, name === 'core' ? [] : onlyInCore);
  }
}
for (const file of sourcesIn(join(root, 'examples'))) checkOutside(file, join(root, 'examples'));

for (const { file, line, message } of offences) console.error(`${file}:${line}  ${message}`);
console.log(offences.length === 0 ? 'No package crosses a boundary.' : `${offences.length} offences`);
process.exitCode = offences.length === 0 ? 0 : 1;
