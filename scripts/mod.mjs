/**
 * Bundles `@ctx/claude-code` into one file for Claude Code, which reads no other, in a worker without Node: packages/adapters/claude-code/plugin/hooks/ctx.js.
 * The file is in the repository, so that a clone can be installed as it is.
 * Usage: node scripts/mod.mjs [--check]
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { packages, readJson, root } from './tools.mjs';

const folder = join(root, 'packages/adapters/claude-code');
const file = join(folder, 'plugin/hooks/ctx.js');
const folderOf = new Map(packages.map((one) => [readJson(join(one, 'package.json')).name, one]));

/** Our packages are read from their sources, and core through its light door whatever they import of it. */
const light = {
  name: 'light',
  setup: (build) =>
    build.onResolve({ filter: /^@ctx\// }, ({ path }) => {
      const [, name, door = name === '@ctx/core' ? 'light' : 'index'] = /^(@ctx\/[^/]+)(?:\/(.+))?$/.exec(
        path,
      );
      return { path: join(folderOf.get(name), `src/${door}.ts`), sideEffects: false };
    }),
};

const { outputFiles, metafile } = await build({
  absWorkingDir: root,
  entryPoints: [join(folder, 'src/index.ts')],
  outfile: file,
  write: false,
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'neutral',
  target: 'es2022',
  charset: 'utf8',
  legalComments: 'none',
  metafile: true,
  logLevel: 'error',
  plugins: [light],
});
const text = runAtFirstCall(outputFiles[0].text);

/** Claude Code runs the file at each start, though few sessions compact: then only its functions are made. */
function runAtFirstCall(module) {
  const end = module.lastIndexOf('export{');
  const list = module.slice(end + 'export{'.length, module.lastIndexOf('}'));
  const names = list.split(',').map((one) => one.split(' as '));
  const made = names.map(([own, name = own]) => `${name}:${own}`);
  const doors = names.map(
    ([own, name = own]) => `export const ${name}=(...all)=>(made??=make()).${name}(...all);`,
  );
  return `let made;function make(){${module.slice(0, end)}return{${made}}}\n${doors.join('\n')}\n`;
}

if (process.argv.includes('--check')) {
  if (text !== readFileSync(file, 'utf8')) {
    console.error(
      'packages/adapters/claude-code/plugin/hooks/ctx.js is not what its sources make: run npm run build',
    );
    process.exitCode = 1;
  }
} else writeFileSync(file, text);
if (process.argv.includes('--inputs')) {
  const { inputs } = Object.values(metafile.outputs)[0];
  for (const [name, { bytesInOutput }] of Object.entries(inputs).sort(
    (a, b) => b[1].bytesInOutput - a[1].bytesInOutput,
  ))
    console.log(bytesInOutput, name);
}
