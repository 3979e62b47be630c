import { type Files, offencesOf as offencesIn } from './checked-tree.js';

const kinds: Record<string, string> = { strategies: 'strategy-', codecs: 'codec-' };

/** The manifests of the packages that a tree has files of, each with its name. */
function manifestsOf(files: Files): Files {
  const manifests: Record<string, string> = {};
  for (const path of Object.keys(files)) {
    const [folder = '', storey = '', name = storey] =
      /^packages\/([\w-]+)(?:\/(?!src\/|test\/)([\w-]+)(?=\/))?/.exec(path) ?? [];
    if (folder === '') continue;
    const file = `${folder}/package.json`;
    const known = JSON.parse(files[file] ?? '{}');
    manifests[file] = JSON.stringify({ ...known, name: `@ctx/${kinds[storey] ?? ''}${name}` }, null, 2);
  }
  return manifests;
}

const offencesOf = (files: Files) => offencesIn('boundaries', { ...files, ...manifestsOf(files) });

const manifest = (...dependencies: string[]) =>
  JSON.stringify({ dependencies: Object.fromEntries(dependencies.map((name) => [name, '*'])) }, null, 2);

test('a tree that keeps the rules has no offences', () => {
  const files: Files = {
    'packages/core/package.json': manifest('gpt-tokenizer', 'tsyringe', 'zod'),
    'packages/core/src/index.ts': `export { inject } from './base/di.js';`,
    'packages/core/src/base/di.ts': `export { inject } from 'tsyringe';`,
    'packages/core/src/count/count.ts': `import '../base/di.js';\nconst load = () => import('gpt-tokenizer/encoding/o200k_base');`,
    'packages/core/test/di.test.ts': `import { container } from 'tsyringe';\nimport { x } from '../src/base/di.js';`,
    'packages/strategies/hybrid/package.json': manifest('@ctx/core'),
    'packages/strategies/hybrid/src/index.ts': `// from '@ctx/strategy-oldest-removal'\nimport { z } from 'zod';`,
    'packages/strategies/hybrid/test/a.test.ts': `import { oldest } from '@ctx/strategy-oldest-removal';`,
    'packages/strategies/file-folding/src/folder/read.ts': `import { open } from 'node:fs/promises';`,
    'packages/strategies/file-folding/src/definitions/parse.ts': `import 'node:module';\nimport 'web-tree-sitter';`,
    'packages/presets/src/index.ts': `import { x } from '@ctx/strategy-hybrid';\nconst model = 'claude';`,
    'packages/tools/sessions/src/index.ts': `import { readFile } from 'node:fs/promises';\nimport '@ctx/codec-openai';`,
    'examples/demo.ts': `import { x } from '@ctx/core';\nimport { y } from './lib/y.js';`,
  };
  expect(offencesOf(files)).toEqual([]);
});

test.each<[rule: string, path: string, text: string, line: number]>([
  ['a room of core imports no room below', 'packages/core/src/count/a.ts', `import '../view/view.js';`, 1],
  ['a room of core imports no door', 'packages/core/src/view/a.ts', `\nimport { x } from '../index.js';`, 2],
  ['core has no other rooms', 'packages/core/src/cellar/a.ts', '', 1],
  ['core depends on no package of ours', 'packages/core/package.json', manifest('zod', '@ctx/testing'), 4],
  ['a strategy depends on core only', 'packages/strategies/hybrid/package.json', manifest('@ctx/presets'), 3],
  ['a codec depends on core only', 'packages/codecs/openai/package.json', manifest('@ctx/sessions'), 3],
  ['presets know no codec', 'packages/presets/package.json', manifest('@ctx/codec-openai'), 3],
  ['sessions know no strategy', 'packages/tools/sessions/package.json', manifest('@ctx/strategy-hybrid'), 3],
  ['a package lies in a storey', 'packages/cellar/presets/package.json', manifest('@ctx/core'), 1],
  ['a package is in the table', 'packages/tools/surprise/package.json', manifest(), 1],
  [
    'core imports none of our packages',
    'packages/core/src/base/a.ts',
    `\nimport { x } from '@ctx/presets';`,
    2,
  ],
  ['core does not import itself by name', 'packages/core/src/base/a.ts', `import { x } from '@ctx/core';`, 1],
  ['core imports no node module', 'packages/core/src/base/a.ts', `import {\n  join,\n} from 'node:path';`, 3],
  ['core imports nothing undeclared', 'packages/core/src/base/a.ts', `export * from 'lodash-es';`, 1],
  ['a strategy imports no node module', 'packages/strategies/hybrid/src/a.ts', `import 'node:fs';`, 1],
  [
    'nor what does',
    'packages/strategies/file-folding/src/a.ts',
    `import { registerStrategy } from '@ctx/core';\nimport { read } from './folder/read.js';`,
    2,
  ],
  ['a strategy imports no other', 'packages/strategies/hybrid/src/a.ts', `import '@ctx/strategy-other';`, 1],
  ['a strategy imports no SDK', 'packages/strategies/hybrid/src/a.ts', `const x = import('openai');`, 1],
  ['a strategy imports no tsyringe', 'packages/strategies/hybrid/src/a.ts', `import 'tsyringe';`, 1],
  ['a codec does not count', 'packages/codecs/openai/src/a.ts', `import 'gpt-tokenizer/encoding/o200k';`, 1],
  ['a test uses the container of core', 'packages/presets/test/a.test.ts', `\nimport 'tsyringe';`, 2],
  ['a test loads no polyfill', 'packages/presets/test/a.test.ts', `import 'reflect-metadata';`, 1],
  ['an example uses the container of core', 'examples/demo.ts', `import 'tsyringe';`, 1],
  ['relative imports stay at home', 'packages/presets/src/a.ts', `import '../../core/src/index.js';`, 1],
])('%s', (_rule, path, text, line) => {
  const offences = offencesOf({ [path]: text });
  expect(offences).toHaveLength(1);
  expect(offences[0]).toMatch(new RegExp(`^${path}:${line}  `));
});

test('a package depends on none of a storey above', () => {
  const files: Files = {
    'packages/memory/recall/package.json': manifest('@ctx/sessions'),
    'packages/tools/sessions/package.json': manifest('@ctx/codec-openai'),
  };
  expect(offencesOf(files)).toEqual([expect.stringContaining('packages/memory/recall/package.json:3  ')]);
});

test.each([
  '// like openai does',
  `const provider = 'Anthropic';`,
  'function ollamaUrl() {}',
  `const model = 'gpt-4o';`,
  `const model = 'o1-mini';`,
  'class OldestRemovalStrategy {}',
  '// as condense does',
  'const slidingWindow = 1;',
  '/** More relevance. */',
  '// a rule of Roo Code',
  '// as seed 004 says',
])('core does not say %p', (code) => {
  const offences = offencesOf({ 'packages/core/src/base/a.ts': `\n\n${code}\n` });
  expect(offences.length).toBeGreaterThan(0);
  expect(offences[0]).toMatch(/^packages\/core\/src\/base\/a\.ts:3 {2}core names/);
});

test.each(['const importance = 1;', '// the tool results', 'const snowflake = 1;'])(
  'core may say %p',
  (code) => {
    expect(offencesOf({ 'packages/core/src/base/a.ts': code })).toEqual([]);
  },
);

test('a strategy needs no entry in the table', () => {
  expect(offencesOf({ 'packages/strategies/new/package.json': manifest('@ctx/core', 'zod') })).toEqual([]);
  expect(offencesOf({ 'packages/strategies/new/src/a.ts': `import 'lodash-es';` })).toHaveLength(1);
});

test('what strategyFactory makes imports nothing that uses Node', () => {
  const text = `import { strategyFactory } from '@ctx/core';\nimport { read } from './folder/read.js';`;
  expect(offencesOf({ 'packages/strategies/file-folding/src/a.ts': text })).toHaveLength(1);
});
