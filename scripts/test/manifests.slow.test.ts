import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

type Files = Record<string, string>;

const script = join(__dirname, '../manifests.mjs');

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ctx-manifests-'));
});
afterEach(() => rmSync(root, { recursive: true }));

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
  'package.json': JSON.stringify({
    ...shown,
    license: 'MIT',
  }),
  LICENSE: 'MIT License\n',
  'packages/one/package.json': JSON.stringify(manifest),
  'packages/one/README.md': '# @ctx/one\n',
  'packages/one/LICENSE': 'MIT License\n',
});

function check(files: Files, ...args: string[]): string[] {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const { status, stderr } = spawnSync(process.execPath, [script, root, ...args], { encoding: 'utf8' });
  const offences = stderr.split('\n').filter((line) => line !== '');
  expect(status).toBe(offences.length === 0 ? 0 : 1);
  return offences;
}

test('a package that has everything has no offences', () => {
  expect(check(tree())).toEqual([]);
});

test('a private package needs none of it', () => {
  expect(
    check({ 'package.json': JSON.stringify(shown), 'packages/own/package.json': '{ "private": true }' }),
  ).toEqual([]);
});

test.each<[string, Files, string]>([
  ['no description', tree({ ...good, description: '' }), 'packages/one/package.json: description is missing'],
  ['no keywords', tree({ ...good, keywords: [] }), 'packages/one/package.json: keywords are missing'],
  [
    'no dist in files',
    tree({ ...good, files: ['bin'] }),
    'packages/one/package.json: files does not list dist',
  ],
  [
    'nothing that makes it public',
    tree({ ...good, publishConfig: undefined }),
    'packages/one/package.json: publishConfig is not',
  ],
  [
    'nothing that keeps npm from packing it',
    tree({ ...good, scripts: undefined }),
    'packages/one/package.json: scripts is not',
  ],
  ['another licence', tree({ ...good, license: 'ISC' }), 'packages/one/package.json: license is not "MIT"'],
  ...['homepage', 'bugs', 'repository'].map((field): [string, Files, string] => [
    `a ${field}`,
    tree({ ...good, [field]: 'https://example.org/owner/name' }),
    `packages/one/package.json: ${field} names a place that nobody has yet`,
  ]),
  [
    'an empty README',
    { ...tree(), 'packages/one/README.md': '\n' },
    'packages/one/README.md: is missing or empty',
  ],
  [
    'a licence text that was edited',
    { ...tree(), 'packages/one/LICENSE': 'MIT' },
    "packages/one/LICENSE: differs from the root's",
  ],
])('%s is an offence', (_, files, offence) => {
  expect(check(files)).toEqual([expect.stringContaining(offence)]);
});

test('--write copies the licence from the root', () => {
  const files = {
    ...tree({ ...good, license: 'ISC', files: ['dist'] }),
    'packages/one/LICENSE': 'old',
  };
  expect(check(files, '--write')).toEqual([]);
  expect(readFileSync(join(root, 'packages/one/LICENSE'), 'utf8')).toBe('MIT License\n');
  const written = JSON.parse(readFileSync(join(root, 'packages/one/package.json'), 'utf8'));
  expect(written).toEqual({ ...good, files: expect.arrayContaining(good.files) });
});
