/**
 * Bundles what `node` means in a package's exports, dist/node: one file instead of dozens, as Node takes half a millisecond or more to find
 * and read each. Core's bundle also holds zod and the emitter, of which it needs a part; tsyringe and reflect-metadata have to be those of the user. The other
 * packages use the zod that is in there. Bundlers and browsers get the files that tsc made, which they can shake.
 * Puts the two encodings of gpt-tokenizer that core counts with, with its code, into dist/count/encodings: the package has four, each several times. Both
 * kinds of users load an encoding from there when it is needed.
 * Bundles the script of the benchmark's pages too, so that whoever writes a report needs no bundler, and the command with the benchmark in it.
 * Usage: node scripts/bundle.mjs, after tsc
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build } from 'esbuild';
import { packages, readJson, root } from './tools.mjs';

const core = '@ctx/core';
const inlined = ['eventemitter3', 'zod'];

/** Our own packages are written with zod and run with the copy that is in core. */
const zodOfCore = {
  name: 'zod-of-core',
  setup: (build) => build.onResolve({ filter: /^zod$/ }, () => ({ path: `${core}/zod`, external: true })),
};

/** Only English, as zod's index of locales has no name that we use. */
const englishOnly = {
  name: 'english-only',
  setup: (build) =>
    build.onResolve({ filter: /\/locales\/index\.js$/ }, ({ resolveDir }) => ({
      path: join(resolveDir, '../locales/en.js'),
    })),
};

/** Files that browsers load later go into the bundle: in Node a file costs more time than its bytes, and each would have parts to share. */
const atOnce = {
  name: 'at-once',
  setup: (build) =>
    build.onLoad({ filter: /\.js$/ }, ({ path }) => {
      if (!path.includes('/packages/core/dist/')) return undefined;
      const later = [];
      const code = readFileSync(path, 'utf8').replace(/\bimport\('(\.[^']+)'\)/g, (kept, file) => {
        if (file.includes('/encodings/')) return kept;
        later.push(`import * as later${later.length} from '${file}';`);
        return `Promise.resolve(later${later.length - 1})`;
      });
      return { contents: [...later, code].join('\n') };
    }),
};

const encodings = 'dist/count/encodings';
const encodingNames = ['o200k-base', 'cl100k-base'];

/** The bundle loads the files that everybody loads. */
const encodingsApart = {
  name: 'encodings-apart',
  setup: (build) =>
    build.onResolve({ filter: /\/encodings\/[\w-]+\.js$/ }, ({ path }) => ({
      path: `../count/encodings/${path.split('/').at(-1)}`,
      external: true,
    })),
};

const forCore = {
  external: ['reflect-metadata', 'tsyringe'],
  plugins: [englishOnly, atOnce, encodingsApart],
};
const forOthers = { packages: 'external', plugins: [zodOfCore] };

const hasText = (folder, name) => {
  try {
    return readFileSync(join(folder, name), 'utf8');
  } catch {
    return undefined;
  }
};

/** The folder of the package that a file belongs to, if it is a dependency's. */
function packageFolderOf(file) {
  const parts = file.split('/');
  const at = parts.lastIndexOf('node_modules');
  return at < 0 ? undefined : parts.slice(0, at + (parts[at + 1]?.startsWith('@') ? 3 : 2)).join('/');
}

/** The licences of the dependencies whose code went into a bundle. */
function licencesOf(inputs, isMeant) {
  const folders = new Set(Object.keys(inputs).flatMap((file) => packageFolderOf(file) ?? []));
  return [...folders].sort().map((folder) => {
    const { name, version } = readJson(join(root, folder, 'package.json'));
    if (!isMeant(name)) throw new Error(`${name} is not meant to be in a bundle: see scripts/bundle.mjs`);
    const text = ['LICENSE', 'LICENSE.txt', 'LICENSE.md', 'NOTICE.txt'].map((file) =>
      hasText(join(root, folder), file),
    );
    if (text.every((one) => one === undefined))
      throw new Error(`${folder} has no licence to go with its code`);
    return `${name} ${version}\n\n${text
      .filter((one) => one !== undefined)
      .join('\n')
      .trim()}\n`;
  });
}

async function bundle(folder) {
  const { name, exports } = readJson(join(folder, 'package.json'));
  const doors = Object.values(exports).filter(({ node }) => node !== undefined);
  if (doors.length === 0) return;
  const outdir = join(folder, 'dist/node');
  rmSync(outdir, { recursive: true, force: true });
  const { metafile } = await build({
    ...(name === core ? forCore : forOthers),
    absWorkingDir: root,
    entryPoints: doors.map(({ default: file }) => join(folder, file)),
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: 'es2022',
    metafile: true,
    logLevel: 'error',
  });
  const licences = licencesOf(metafile.inputs, (name) => inlined.includes(name));
  if (licences.length > 0) writeFileSync(join(outdir, 'licences.txt'), licences.join('\n---\n\n'));
  for (const { node } of doors) {
    const built = Object.keys(metafile.outputs).map((file) => relative(folder, join(root, file)));
    if (!built.includes(node.slice('./'.length)))
      throw new Error(`${name}: nothing was bundled into ${node}`);
  }
}

/** The encodings, with what they share in a file of its own, and the licence of the tokenizer. */
async function bundleEncodings() {
  const folder = join(root, 'packages/core');
  const outdir = join(folder, encodings);
  for (const file of readdirSync(outdir))
    if (!file.endsWith('.d.ts')) rmSync(join(outdir, file), { recursive: true });
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: encodingNames.map((name) => join(folder, `src/count/encodings/${name}.ts`)),
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'neutral',
    minifyWhitespace: true,
    charset: 'utf8',
    target: 'es2022',
    metafile: true,
    logLevel: 'error',
  });
  const licences = licencesOf(metafile.inputs, (name) => name === 'gpt-tokenizer');
  writeFileSync(join(outdir, 'licences.txt'), licences.join('\n---\n\n'));
}

/** The command holds the benchmark, which is not published. */
async function bundleCommand() {
  const [cli, bench] = ['cli', 'bench'].map((name) => join(root, 'packages/tools', name));
  const { exports } = readJson(join(bench, 'package.json'));
  const withBench = {
    name: 'with-bench',
    setup: (build) =>
      build.onResolve({ filter: /^@ctx\/bench(\/|$)/ }, ({ path }) => ({
        path: join(bench, exports[path.replace('@ctx/bench', '.')].default),
      })),
  };
  const outdir = join(cli, 'dist/node');
  rmSync(outdir, { recursive: true, force: true });
  await build({
    absWorkingDir: root,
    entryPoints: ['bin.js', 'index.js'].map((file) => join(cli, 'dist', file)),
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    target: 'es2022',
    logLevel: 'error',
    plugins: [withBench],
  });
}

await Promise.all([...packages.map(bundle), bundleEncodings()]);
await bundleCommand();
