import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const here = join(__dirname, '../..');
let copy: string;

/** What the scripts read of the repository, with the packages as they are built, and their dependencies linked. */
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'ctx-new-strategy-'));
  const files = readdirSync(here, { withFileTypes: true }).filter((entry) => entry.isFile());
  for (const { name } of files) if (name !== '.git') cpSync(join(here, name), join(copy, name));
  const filter = (path: string) => !path.endsWith('node_modules');
  cpSync(join(here, 'scripts'), join(copy, 'scripts'), { recursive: true, filter });
  cpSync(join(here, 'docs/strategies.md'), join(copy, 'docs/strategies.md'));
  mkdirSync(join(copy, 'examples'));
  cpSync(join(here, 'examples/package.json'), join(copy, 'examples/package.json'));
  symlinkSync(join(here, 'node_modules'), join(copy, 'node_modules'));
  for (const name of readdirSync(join(here, 'packages'))) {
    cpSync(join(here, 'packages', name), join(copy, 'packages', name), {
      recursive: true,
      preserveTimestamps: true,
      filter: (path) => filter(path) && !path.endsWith('fixtures') && !path.endsWith(`${name}/test`),
    });
    const modules = join(here, 'packages', name, 'node_modules');
    if (existsSync(modules)) symlinkSync(modules, join(copy, 'packages', name, 'node_modules'));
  }
});
afterAll(() => rmSync(copy, { recursive: true }));

function run(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: copy, encoding: 'utf8' });
  return { status, said: `${stdout}${stderr}` };
}
const bin = (path: string) => join(here, 'node_modules', path);
const read = (path: string) => readFileSync(join(copy, path), 'utf8');

/** The dependencies that an installation would link. */
function link(folder: string) {
  const modules = join(copy, folder, 'node_modules');
  mkdirSync(join(modules, '@ctx'), { recursive: true });
  for (const name of ['core', 'testing'])
    symlinkSync(join(copy, 'packages', name), join(modules, '@ctx', name));
  symlinkSync(join(here, 'packages/core/node_modules/zod'), join(modules, 'zod'));
}

test('a new strategy is a folder that keeps the rules, and whatever lists strategies knows it', () => {
  const folder = 'packages/strategy-largest-first';
  expect(run('scripts/new-strategy.mjs', 'largest-first')).toMatchObject({ status: 0 });
  expect(readdirSync(join(copy, folder), { recursive: true }).sort()).toEqual(
    [
      'LICENSE',
      'README.md',
      'package.json',
      'src',
      join('src', 'index.ts'),
      join('src', 'largest-first.ts'),
      'test',
      join('test', 'largest-first.test.ts'),
      'tsconfig.json',
    ].sort(),
  );
  expect(read('packages/presets/src/strategies.ts')).toContain('registerLargestFirst(container);');
  expect(read('tsconfig.json')).toContain(`"path": "${folder}"`);
  expect(read('examples/package.json')).toContain('"@ctx/strategy-largest-first": "workspace:^"');
  expect(read('docs/strategies.md')).toContain(
    `| [\`largest-first\`](../${folder}) | drops the largest exchanges first`,
  );
  expect(run('scripts/boundaries.mjs').said).not.toContain('largest-first');
  expect(run('scripts/manifests.mjs').said).not.toContain('largest-first');

  link(folder);
  expect(run(bin('typescript/bin/tsc'), '-b', folder)).toEqual({ status: 0, said: '' });
  expect(run('scripts/strategies.mjs', '--check')).toMatchObject({ status: 0 });
  const jest = run(bin('jest/bin/jest.js'), '--selectProjects', 'strategy-largest-first', '--runInBand');
  expect(jest).toMatchObject({ status: 0, said: expect.stringContaining('the largest exchange goes first') });
});

test('the check names what is out of date', () => {
  const path = 'packages/strategy-hybrid/README.md';
  const text = read(path);
  writeFileSync(join(copy, path), text.replace('| `minConfidence` | 0.6 |', '| `minConfidence` | 0.7 |'));
  const stale = run('scripts/strategies.mjs', '--check');
  expect(stale).toMatchObject({ status: 1, said: expect.stringContaining(`${path} is out of date`) });
  expect(run('scripts/strategies.mjs')).toMatchObject({ status: 0 });
  expect(read(path)).toBe(text);
});

test.each([
  ['', 'kebab-case'],
  ['NewStrategy', 'kebab-case'],
  ['../x', 'kebab-case'],
  ['hybrid', 'already'],
])('%p is refused as a name', (name, why) => {
  const before = readdirSync(join(copy, 'packages'));
  expect(run('scripts/new-strategy.mjs', name)).toMatchObject({
    status: 1,
    said: expect.stringContaining(why),
  });
  expect(readdirSync(join(copy, 'packages'))).toEqual(before);
});
