import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { check as checkBy, type Files, inTree, write } from './checked-tree.js';

beforeEach(() => {
  symlinkSync(join(__dirname, '../../node_modules'), inTree('node_modules'), 'junction');
  write({
    'packages/presets/package.json': '{ "name": "@ctx/presets", "dependencies": { "a": "1" } }',
    'packages/presets/node_modules/a/package.json': '{ "name": "a", "dependencies": { "b": "1" } }',
    'packages/presets/node_modules/b/package.json': '{ "name": "b", "scripts": { "test": "x" } }',
    'packages/presets/dist/index.js': 'export const presets = 1;',
    'packages/core/dist/index.js': 'export const core = 1;',
    'packages/core/dist/node/index.js': "export * from './chunk.js';",
    'packages/core/dist/node/later.js': 'export const tables = [];',
    'packages/core/dist/node/chunk.js': "export const load = () => import('./later.js');",
  });
});

/** What is said when this is there as well. */
function check(files: Files = {}) {
  write(files);
  const { status, stderr } = checkBy('sizes');
  return { status, said: stderr };
}

test('what is small, plain and loads nothing else is good', () => {
  expect(check()).toEqual({ status: 0, said: '' });
});

test('a dependency of a dependency may run no script when it is installed', () => {
  const files = {
    'packages/presets/node_modules/b/package.json': '{ "name": "b", "scripts": { "install": "x" } }',
    'packages/presets/node_modules/b/binding.gyp': '{}',
  };
  expect(check(files)).toEqual({
    status: 1,
    said: '@ctx/presets depends on b, which runs install, node-gyp when it is installed\n',
  });
});

test.each(["import 'node:fs';", "export const read = () => import('node:fs');", "import 'fs';"])(
  'a bundle for browsers has no %s',
  (text) => {
    const { status, said } = check({ 'packages/presets/dist/index.js': text });
    expect([status, said]).toEqual([1, expect.stringContaining("can't be bundled for browsers")]);
  },
);

test('a bundle has a limit', () => {
  const noise = Array.from({ length: 60_000 }, (_, at) => Math.imul(at, 2_654_435_761).toString(36)).join('');
  const { status, said } = check({ 'packages/core/dist/index.js': `export const core = '${noise}';` });
  expect([status, said]).toEqual([1, expect.stringMatching(/has \d+\.\d kB in a bundle, more than/)]);
});

test('in Node nothing is loaded but a few files of core', () => {
  const chunk = 'packages/core/dist/node/chunk.js';
  const outside = check({ [chunk]: "export * from 'zod';" });
  expect(outside).toEqual({ status: 1, said: expect.stringContaining('loads zod in Node') });
  const seven = [1, 2, 3, 4, 5, 6, 7];
  const many = check({
    [chunk]: seven.map((one) => `export * from './${one}.js';`).join('\n'),
    ...Object.fromEntries(
      seven.map((one) => [`packages/core/dist/node/${one}.js`, `export const a${one} = 1;`]),
    ),
  });
  expect(many).toEqual({ status: 1, said: expect.stringContaining('loads 9 files in Node') });
});
