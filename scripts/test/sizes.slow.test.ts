import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ctx-sizes-'));
  symlinkSync(join(__dirname, '../../node_modules'), join(root, 'node_modules'), 'junction');
  write('packages/presets/package.json', '{ "name": "@ctx/presets", "dependencies": { "a": "1" } }');
  write('packages/presets/node_modules/a/package.json', '{ "name": "a", "dependencies": { "b": "1" } }');
  write('packages/presets/node_modules/b/package.json', '{ "name": "b", "scripts": { "test": "x" } }');
  write('packages/presets/dist/index.js', 'export const presets = 1;');
  write('packages/core/dist/index.js', 'export const core = 1;');
  write('packages/core/dist/node/index.js', "export * from './chunk.js';");
  write('packages/core/dist/node/later.js', 'export const tables = [];');
  write('packages/core/dist/node/chunk.js', "export const load = () => import('./later.js');");
});
afterEach(() => rmSync(root, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function check() {
  const script = join(__dirname, '../sizes.mjs');
  const { status, stderr } = spawnSync(process.execPath, [script, root], { encoding: 'utf8' });
  return { status, said: stderr };
}

test('what is small, plain and loads nothing else is good', () => {
  expect(check()).toEqual({ status: 0, said: '' });
});

test('a dependency of a dependency may run no script when it is installed', () => {
  write('packages/presets/node_modules/b/package.json', '{ "name": "b", "scripts": { "install": "x" } }');
  write('packages/presets/node_modules/b/binding.gyp', '{}');
  expect(check()).toEqual({
    status: 1,
    said: '@ctx/presets depends on b, which runs install, node-gyp when it is installed\n',
  });
});

test.each(["import 'node:fs';", "export const read = () => import('node:fs');", "import 'fs';"])(
  'a bundle for browsers has no %s',
  (text) => {
    write('packages/presets/dist/index.js', text);
    expect(check()).toMatchObject({
      status: 1,
      said: expect.stringContaining("can't be bundled for browsers"),
    });
  },
);

test('a bundle has a limit', () => {
  const noise = Array.from({ length: 60_000 }, (_, at) => Math.imul(at, 2_654_435_761).toString(36)).join('');
  write('packages/core/dist/index.js', `export const core = '${noise}';`);
  expect(check()).toMatchObject({
    status: 1,
    said: expect.stringMatching(/has \d+\.\d kB in a bundle, more than/),
  });
});

test('in Node nothing is loaded but a few files of core', () => {
  write('packages/core/dist/node/chunk.js', "export * from 'zod';");
  expect(check()).toMatchObject({ status: 1, said: expect.stringContaining('loads zod in Node') });
  const files = [1, 2, 3, 4, 5, 6, 7].map((one) => `export * from './${one}.js';`);
  for (const one of [1, 2, 3, 4, 5, 6, 7])
    write(`packages/core/dist/node/${one}.js`, `export const a${one} = 1;`);
  write('packages/core/dist/node/chunk.js', files.join('\n'));
  expect(check()).toMatchObject({ status: 1, said: expect.stringContaining('loads 9 files in Node') });
});
