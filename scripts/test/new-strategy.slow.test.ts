import { readdirSync, writeFileSync } from 'node:fs';
import { RepositoryCopy } from './repository-copy.js';

const copy = new RepositoryCopy();
afterAll(() => copy.remove());

test('a new strategy is a folder that keeps the rules, and whatever lists strategies knows it', () => {
  const folder = 'packages/strategies/largest-first';
  expect(copy.run('scripts/new-strategy.mjs', 'largest-first')).toMatchObject({ status: 0 });
  expect(copy.filesIn(folder)).toEqual([
    'LICENSE',
    'README.md',
    'package.json',
    'src/index.ts',
    'src/largest-first.ts',
    'test/largest-first.test.ts',
    'tsconfig.json',
  ]);
  expect(copy.read('packages/presets/src/strategies.ts')).toContain('registerLargestFirst(container);');
  expect(copy.read('packages/tools/cli/src/compress/strategy-names.ts')).toContain("'largest-first',");
  expect(copy.read('tsconfig.json')).toContain(`"path": "${folder}"`);
  expect(copy.read('examples/package.json')).toContain('"@ctx/strategy-largest-first": "workspace:^"');
  expect(copy.read('docs/strategies.md')).toContain(
    `| [\`largest-first\`](../${folder}) | drops the largest exchanges first`,
  );
  expect(copy.run('scripts/boundaries.mjs').said).not.toContain('largest-first');
  expect(copy.run('scripts/manifests.mjs').said).not.toContain('largest-first');

  copy.install();
  expect(copy.compile()).toEqual({ status: 0, said: '' });
  expect(copy.run('scripts/strategies.mjs', '--check')).toMatchObject({ status: 0 });
  expect(copy.knip()).toMatchObject({ status: 0 });
  const own = copy.jest('--selectProjects', 'strategy-largest-first');
  expect(own).toMatchObject({ status: 0, said: expect.stringContaining('the largest exchange goes first') });
  expect(copy.jest('-t=strategies that can be named', 'packages/tools/cli/test/compress')).toMatchObject({
    status: 0,
    said: expect.stringContaining('1 passed'),
  });
});

test('the check names what is out of date', () => {
  const path = 'packages/strategies/hybrid/README.md';
  const text = copy.read(path);
  writeFileSync(copy.path(path), text.replace('| `minConfidence` | 0.6 |', '| `minConfidence` | 0.7 |'));
  const stale = copy.run('scripts/strategies.mjs', '--check');
  expect(stale).toMatchObject({ status: 1, said: expect.stringContaining(`${path} is out of date`) });
  expect(copy.run('scripts/strategies.mjs')).toMatchObject({ status: 0 });
  expect(copy.read(path)).toBe(text);
});

test.each([
  ['', 'kebab-case'],
  ['NewStrategy', 'kebab-case'],
  ['../x', 'kebab-case'],
  ['hybrid', 'already'],
])('%p is refused as a name', (name, why) => {
  const before = readdirSync(copy.path('packages/strategies'));
  const { status, said } = copy.run('scripts/new-strategy.mjs', name);
  expect([status, said]).toEqual([1, expect.stringContaining(why)]);
  expect(readdirSync(copy.path('packages/strategies'))).toEqual(before);
});
