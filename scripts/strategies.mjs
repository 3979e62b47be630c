/**
 * Writes whatever lists the strategies, from the packages `strategy-*` and the schemas of their options, and what lists all packages
 * or codecs.
 * Usage: node scripts/strategies.mjs [--lists] [--check]
 *   --lists  only what needs the folders and no build
 *   --check  writes nothing, and fails where something is out of date
 */
import { join, posix } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { block, read, replaced, writeAll } from './generated.mjs';
import { optionsTable } from './options-table.mjs';
import { packagesIn } from './packages.cjs';
import { readJson, root } from './tools.mjs';

const { values } = parseArgs({ options: { lists: { type: 'boolean' }, check: { type: 'boolean' } } });
const prefix = 'strategy-';
const packages = packagesIn(root);
const names = packages.map(({ name }) => name);
const strategies = names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));

const folderOf = (strategy) => packages.find(({ name }) => name === `${prefix}${strategy}`).folder;

const pascal = (name) => name.replace(/(?:^|-)(\w)/g, (_, letter) => letter.toUpperCase());
function registration() {
  const imports = strategies.map(
    (name) => `import { register as register${pascal(name)} } from '@ctx/${prefix}${name}';\n`,
  );
  const calls = strategies.map((name) => `  register${pascal(name)}(container);\n`);
  const options = strategies.map(
    (name) =>
      `    ${name.includes('-') ? `'${name}'` : name}: OptionsIn<typeof import('@ctx/${prefix}${name}')>;\n`,
  );
  return `// Written by \`npm run generate\` from the packages ${prefix}*.
import type { DependencyContainer } from '@ctx/core';
${imports.join('')}
/** The options of the strategy that a package makes with strategyFactory, as a configuration gives them. */
type OptionsIn<Package> = {
  [Name in keyof Package]: Package[Name] extends {
    readonly declaration: { readonly options: { readonly _zod: { readonly input: infer Options } } };
  }
    ? Options
    : never;
}[keyof Package];

declare module '@ctx/core' {
  interface KnownStrategies {
${options.join('')}  }
}

/** Registers every built-in strategy by its name. */
export function registerStrategies(container: DependencyContainer): void {
${calls.join('')}}
`;
}

/** What the command line knows of the strategies before it loads any. */
function namesKnown() {
  const lines = strategies.map((name) => `  '${name}',\n`);
  return `// Written by \`npm run generate\` from the packages ${prefix}*.

/** The built-in strategies, in the order of their names: to ask what is registered would load all of them. */
export const strategyNamesKnown = [
${lines.join('')}] as const;
`;
}

/** The packages of some kinds among a manifest's dependencies are replaced by those there are. */
function withDependencies(path, ...kinds) {
  const { dependencies } = readJson(join(root, path));
  const isMeant = (name) => kinds.some((kind) => name.startsWith(kind));
  const others = Object.entries(dependencies).filter(([name]) => !isMeant(name.replace('@ctx/', '')));
  const all = [...others, ...names.filter(isMeant).map((name) => [`@ctx/${name}`, 'workspace:^'])];
  const lines = all
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map((entry) => {
      const [name, version] = entry.map((text) => JSON.stringify(text));
      return `    ${name}: ${version}`;
    });
  return replaced(path, ['"dependencies": {\n', '\n  }'], lines.join(',\n'));
}

/** The text as it is if it has these references, in whatever order and form somebody wrote them. */
function withReferences(path, references) {
  const written = readJson(join(root, path)).references.map((one) => one.path);
  if (isDeepStrictEqual(written.sort(), references.toSorted())) return read(path);
  const lines = references.map((one) => `    {\n      "path": ${JSON.stringify(one)}\n    }`);
  return replaced(path, ['"references": [\n', '\n  ]'], lines.join(',\n'));
}

function presetReferences() {
  const { references } = readJson(join(root, 'packages/presets/tsconfig.json'));
  const made = packages
    .filter(({ name }) => name.startsWith(prefix))
    .map(({ folder }) => posix.relative('packages/presets', folder));
  const isStrategy = (path) => posix.dirname(path) === posix.dirname(made[0]);
  return [...references.map(({ path }) => path).filter((path) => !isStrategy(path)), ...made].sort();
}

const claims = ['Lossless', 'Needs a model', 'Keeps the cache prefix'];

/** What the end of a strategy's README says of it, as a row of the table in docs/strategies.md. */
function rowOf(name) {
  const folder = folderOf(name);
  const text = read(`${folder}/README.md`).replaceAll('\n', ' ');
  const said = claims.map((claim) => {
    const start = text.lastIndexOf(`${claim}: `);
    if (start < 0) throw new Error(`${folder}/README.md does not say "${claim}: … ."`);
    return text.slice(start + claim.length + 2, text.indexOf('.', start));
  });
  const { description } = readJson(join(root, folder, 'package.json'));
  const what = `${description[0].toLowerCase()}${description.slice(1)}`.replace(/\.$/, '');
  return `| ${[`[\`${name}\`](../${folder})`, what, ...said].join(' | ')} |`;
}

const heads = [
  '| strategy | what it does | lossless? | needs a model? | keeps the cache prefix? |',
  '|---|---|---|---|---|',
];

const lists = () => ({
  'packages/presets/src/strategies.ts': registration(),
  'packages/tools/cli/src/compress/strategy-names.ts': namesKnown(),
  'packages/presets/package.json': withDependencies('packages/presets/package.json', prefix),
  'packages/presets/tsconfig.json': withReferences('packages/presets/tsconfig.json', presetReferences()),
  'examples/package.json': withDependencies('examples/package.json', prefix, 'codec-'),
  'tsconfig.json': withReferences(
    'tsconfig.json',
    packages.map(({ folder }) => folder),
  ),
  'docs/strategies.md': replaced(
    'docs/strategies.md',
    block('strategies'),
    `${[...heads, ...strategies.map(rowOf)].join('\n')}\n`,
  ),
});

/** The READMEs of the strategies that are made by `strategyFactory`, each with the table of its options. */
async function tables() {
  const texts = {};
  for (const name of strategies) {
    const folder = folderOf(name);
    const exported = await import(pathToFileURL(join(root, folder, 'dist/index.js')).href);
    const made = Object.values(exported).find((one) => one?.declaration?.name === name);
    if (made === undefined) continue;
    const path = `${folder}/README.md`;
    const table = `${optionsTable(name, made.declaration.options)}\n`;
    texts[path] = replaced(path, block('options'), table);
  }
  return texts;
}

const texts = { ...lists(), ...(values.lists ? {} : await tables()) };
process.exitCode = writeAll(texts, values.check) ? 0 : 1;
