/**
 * Checks what users of the built packages load and install: the size of a bundle for browsers, made without a flag and without a module of
 * Node; what Node loads for an import; and that no dependency of the presets runs a script when it is installed.
 * Usage: node scripts/sizes.mjs [root], after a build
 */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const root = resolve(process.argv[2] ?? '.');
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/**
 * kB of 1000 bytes that everything a package exports may have, minified and gzipped, without what is loaded when it is needed: the tables
 * of the tokenizer, and what a manager with an archive does. The presets bring every strategy, and a little room to grow.
 */
const limits = { core: 70, presets: 160 };
/** What core and a user have to have in common. */
const shared = new Set(['tsyringe', 'reflect-metadata/lite']);
/** What Node may load for `import '@ctx/core'`: files of core itself, one and those that it shares with other doors. */
const maxFiles = 8;

const bundle = (folder, contents, options) =>
  build({
    stdin: { contents, resolveDir: join(root, 'packages', folder) },
    absWorkingDir: root,
    bundle: true,
    format: 'esm',
    write: false,
    metafile: true,
    logLevel: 'silent',
    ...options,
  });

/** Leaves out what bundlers put into files of their own. */
const withoutLater = {
  name: 'without-later',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\./ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path, external: true } : undefined,
    ),
};

async function* tooLarge() {
  for (const [name, limit] of Object.entries(limits)) {
    const everything = `export * from './dist/index.js';`;
    try {
      const { outputFiles } = await bundle(name, everything, {
        platform: 'browser',
        minify: true,
        plugins: [withoutLater],
      });
      const kB = gzipSync(outputFiles[0].contents, { level: 9 }).length / 1000;
      console.log(`@ctx/${name} for browsers: ${kB.toFixed(1)} kB (limit ${limit})`);
      if (kB > limit) yield `@ctx/${name} has ${kB.toFixed(1)} kB in a bundle, more than ${limit}`;
    } catch (error) {
      for (const { text, location } of error.errors ?? [{ text: String(error) }])
        yield `@ctx/${name} can't be bundled for browsers: ${text} (${location?.file})`;
    }
  }
}

async function* loadedByNode() {
  const options = { platform: 'node', packages: 'external', splitting: true, outdir: join(root, 'dist') };
  const { metafile } = await bundle('core', `import './dist/node/index.js';`, options);
  const files = new Set();
  const visit = (file) => {
    if (files.has(file)) return [];
    files.add(file);
    return metafile.inputs[file].imports
      .filter(({ kind }) => kind === 'import-statement')
      .flatMap(({ path, external }) => (external ? [path] : visit(path)));
  };
  for (const name of visit('packages/core/dist/node/index.js').filter((one) => !shared.has(one)))
    yield `an import of @ctx/core loads ${name} in Node, which its bundle should hold`;
  console.log(`@ctx/core in Node: ${files.size} files (limit ${maxFiles})`);
  if (files.size > maxFiles)
    yield `an import of @ctx/core loads ${files.size} files in Node, more than ${maxFiles}`;
}

/** The folder of a dependency, as Node looks for it. */
function folderOf(name, from) {
  const place = join(from, 'node_modules', name);
  if (existsSync(place)) return realpathSync(place);
  return dirname(from) === from ? undefined : folderOf(name, dirname(from));
}

function* installScripts(folder, seen = new Set()) {
  if (seen.has(folder)) return;
  seen.add(folder);
  const { name, scripts = {}, dependencies, optionalDependencies } = readJson(join(folder, 'package.json'));
  const run = ['preinstall', 'install', 'postinstall'].filter((script) => scripts[script] !== undefined);
  // npm compiles what has such a file, even without a script.
  if (existsSync(join(folder, 'binding.gyp'))) run.push('node-gyp');
  if (run.length > 0)
    yield `@ctx/presets depends on ${name}, which runs ${run.join(', ')} when it is installed`;
  for (const dependency of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const place = folderOf(dependency, folder);
    if (place !== undefined) yield* installScripts(place, seen);
  }
}

const offences = [...installScripts(realpathSync(join(root, 'packages/presets')))];
for await (const offence of tooLarge()) offences.push(offence);
for await (const offence of loadedByNode()) offences.push(offence);
for (const offence of offences) console.error(offence);
process.exitCode = offences.length === 0 ? 0 : 1;
