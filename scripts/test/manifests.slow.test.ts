import { readFileSync } from 'node:fs';
import { type Files, inTree, offencesOf } from './checked-tree.js';

const shown = { author: 'The contributors' };

const good = {
  name: '@ctx/one',
  description: 'Does one thing.',
  keywords: ['llm'],
  ...shown,
  license: 'MIT',
  files: ['dist'],
  scripts: { prepack: 'node ../../scripts/only-pnpm.mjs' },
  publishConfig: { access: 'public' },
};

const tree = (manifest: object = good): Files => ({
  'package.json': JSON.stringify({ ...shown, license: 'MIT' }),
  LICENSE: 'MIT License\n',
  'packages/one/package.json': JSON.stringify(manifest),
  'packages/one/README.md': '# @ctx/one\n',
  'packages/one/LICENSE': 'MIT License\n',
});

const check = (files: Files, ...args: string[]) => offencesOf('manifests', files, ...args);

test('a package that has everything has no offences', () => {
  expect(check(tree())).toEqual([]);
});

test('a private package needs none of it', () => {
  const files = { 'package.json': JSON.stringify(shown), 'packages/own/package.json': '{ "private": true }' };
  expect(check(files)).toEqual([]);
});

const [place, readme] = ['packages/one/package.json', 'packages/one/README.md'];
test.each<[string, Files, string]>([
  ['no description', tree({ ...good, description: '' }), `${place}: description is missing`],
  ['no keywords', tree({ ...good, keywords: [] }), `${place}: keywords are missing`],
  ['no dist in files', tree({ ...good, files: ['bin'] }), `${place}: files does not list dist`],
  [
    'nothing to make it public',
    tree({ ...good, publishConfig: undefined }),
    `${place}: publishConfig is not`,
  ],
  ['nothing that keeps npm from it', tree({ ...good, scripts: undefined }), `${place}: scripts is not`],
  ['another licence', tree({ ...good, license: 'ISC' }), `${place}: license is not "MIT"`],
  ...['homepage', 'bugs', 'repository'].map((field): [string, Files, string] => [
    `a ${field}`,
    tree({ ...good, [field]: 'https://example.org/owner/name' }),
    `${place}: ${field} names a place that nobody has yet`,
  ]),
  ['an empty README', { ...tree(), [readme]: '\n' }, `${readme}: is missing or empty`],
  [
    'a licence text that was edited',
    { ...tree(), 'packages/one/LICENSE': 'MIT' },
    "packages/one/LICENSE: differs from the root's",
  ],
])('%s is an offence', (_, files, offence) => {
  expect(check(files)).toEqual([expect.stringContaining(offence)]);
});

test('--write copies the licence from the root', () => {
  const files = { ...tree({ ...good, license: 'ISC' }), 'packages/one/LICENSE': 'old' };
  expect(check(files, '--write')).toEqual([]);
  expect(readFileSync(inTree('packages/one/LICENSE'), 'utf8')).toBe('MIT License\n');
  const written = JSON.parse(readFileSync(inTree('packages/one/package.json'), 'utf8'));
  expect(written).toEqual({ ...good, files: expect.arrayContaining(good.files) });
});
