import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const whole = [
  'LICENSE',
  'README.md',
  'package.json',
  'dist/index.js',
  'dist/index.d.ts',
  'dist/index.js.map',
];

function offencesOf(...paths: string[]): string[] {
  const input = JSON.stringify([{ name: '@ctx/one', files: paths.map((path) => ({ path })) }]);
  const script = join(__dirname, '../tarballs.mjs');
  const { status, stderr } = spawnSync(process.execPath, [script], { input, encoding: 'utf8' });
  const offences = stderr.split('\n').filter((line) => line !== '');
  expect(status).toBe(offences.length === 0 ? 0 : 1);
  return offences;
}

test('a tarball with licence, README, manifest and code is complete', () => {
  expect(offencesOf(...whole)).toEqual([]);
});

test('a tarball must have its licence, README, manifest and code', () => {
  expect(offencesOf('package.json', 'dist/index.js')).toEqual([
    '@ctx/one: the tarball lacks LICENSE',
    '@ctx/one: the tarball lacks README.md',
    '@ctx/one: the tarball lacks dist/index.d.ts',
  ]);
});

test.each(['src/index.ts', 'test/one.test.ts', 'dist/.tsbuildinfo', 'notes.txt'])(
  '%s does not belong in a tarball',
  (path) => {
    expect(offencesOf(...whole, path)).toEqual([`@ctx/one: ${path} does not belong in the tarball`]);
  },
);
