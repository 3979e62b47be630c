import { type Files, offencesOf as offencesIn } from './checked-tree.js';

const manifest = {
  name: '@ctx/one',
  description: 'Does one thing.',
  license: 'MIT',
  keywords: ['llm'],
  dependencies: { '@ctx/core': '^0.1.0' },
};
const whole: Files = {
  LICENSE: 'MIT License',
  'README.md': '# @ctx/one, on V8, with ids such as `D1:3`\n',
  'package.json': JSON.stringify(manifest),
  'dist/index.js': 'export {};\n',
  'dist/index.d.ts': 'export {};\n',
};

const offencesOf = (files: Files) => offencesIn('tarballs', files);
const without = (...paths: string[]) =>
  Object.fromEntries(Object.entries(whole).filter(([path]) => !paths.includes(path)));
const withManifest = (fields: object) => ({
  ...whole,
  'package.json': JSON.stringify({ ...manifest, ...fields }),
});

test('a tarball with licence, README, manifest and code is complete', () => {
  expect(offencesOf(whole)).toEqual([]);
});

test('a tarball must have its licence, README and code', () => {
  expect(offencesOf(without('LICENSE', 'README.md', 'dist/index.d.ts'))).toEqual([
    '@ctx/one: the tarball lacks LICENSE',
    '@ctx/one: the tarball lacks README.md',
    '@ctx/one: the tarball lacks dist/index.d.ts',
  ]);
});

test.each(['src/index.ts', 'dist/index.js.map', 'test/one.test.ts', 'dist/.tsbuildinfo', 'notes.txt'])(
  '%s does not belong in a tarball',
  (path) => {
    expect(offencesOf({ ...whole, [path]: '' })).toEqual([
      `@ctx/one: ${path} does not belong in the tarball`,
    ]);
  },
);

test.each<[string, Files, string]>([
  ['no keywords', withManifest({ keywords: [] }), 'package.json has no keywords'],
  ['no licence', withManifest({ license: undefined }), 'package.json has no license'],
  [
    'a dependency that only this repository has',
    withManifest({ dependencies: { '@ctx/core': 'workspace:^' } }),
    'package.json depends on @ctx/core as workspace:^, which no registry has',
  ],
  [
    'code without its map',
    { ...whole, 'dist/index.js': 'export {};\n//# sourceMappingURL=index.js.map' },
    'dist/index.js names the map index.js.map, which is not in the tarball',
  ],
  ...['seed 004', 'issue 17', 'requirements.md', 'B10', ['', 'work', 'place'].join('/')].map(
    (word): [string, Files, string] => [
      word,
      { ...whole, 'dist/index.d.ts': `/** See ${word}. */\nexport {};\n` },
      `dist/index.d.ts:1 says "${word}", a word of ours`,
    ],
  ),
])('%s is an offence', (_, files, offence) => {
  expect(offencesOf(files)).toEqual([`@ctx/one: ${offence}`]);
});
