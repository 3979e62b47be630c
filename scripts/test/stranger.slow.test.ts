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
import { delimiter, dirname, join, relative } from 'node:path';
import { newNode } from '../../packages/testing/agents-test/src/new-node.js';
import { packagesIn } from '../packages.cjs';

const root = join(__dirname, '../..');
const home = mkdtempSync(join(tmpdir(), 'stranger '));
const [clone, project] = [join(home, 'ctx'), join(home, 'my-agent')];
const npm = join(dirname(process.execPath), 'npm');
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** This Node and a newer one, unless that is the same. */
const nodes = [...new Set([process.execPath, newNode() ?? process.execPath])];
const versionOf = (node: string) => spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim();

/** Starts a program with nothing of this machine but the PATH. */
function start(command: string, args: readonly string[], cwd: string, node = process.execPath) {
  const PATH = [dirname(node), dirname(process.execPath), process.env.PATH].join(delimiter);
  const env = { PATH, HOME: home, CI: '1', NO_COLOR: '1' };
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', env });
  return { status, said: `${stdout}${stderr}` };
}

/** What nobody should read in the first hour. */
const alarming =
  /\b404\b|\bE404\b|\bwarn(ing)?\b|deprecated|undefined|\bNaN\b|\[object Object\]|is not defined|Cannot find|not found/i;

function calm({ status, said }: ReturnType<typeof start>): string {
  const lines = said.split('\n');
  const shown = status === 0 ? lines.filter((line) => alarming.test(line)) : lines.slice(-20);
  expect({ status, shown }).toEqual({ status: 0, shown: [] });
  return said;
}

const git = (args: readonly string[], cwd = root) =>
  spawnSync('git', args, { cwd, encoding: 'utf8' })
    .stdout.split('\0')
    .filter((path) => path !== '');

/** Clones what is committed, then takes over what is not, and links the installed packages as an installation would. */
function cloneRepository(): void {
  calm(start('git', ['clone', '--quiet', `file://${root}`, clone], home));
  const changed = git(['diff', '--name-only', '-z', 'HEAD']);
  for (const path of [...changed, ...git(['ls-files', '--others', '--exclude-standard', '-z'])]) {
    if (existsSync(join(root, path))) cpSync(join(root, path), join(clone, path));
    else rmSync(join(clone, path), { force: true });
  }
  for (const folder of ['.', 'examples', ...packagesIn(root).map((one) => one.folder)]) {
    const from = join(root, folder, 'node_modules');
    if (!existsSync(from)) continue;
    const filter = (path: string) => !['.pnpm', '.cache', '.ctx'].includes(relative(from, path));
    cpSync(from, join(clone, folder, 'node_modules'), { recursive: true, verbatimSymlinks: true, filter });
  }
  symlinkSync(join(root, 'node_modules/.pnpm'), join(clone, 'node_modules/.pnpm'));
}

/** Another dependency, in the version that this repository has. */
function link(name: string): void {
  const place = join(project, 'node_modules', name);
  if (existsSync(place)) return;
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(
    [join(root, 'examples/node_modules', name), join(root, 'node_modules', name)].find(existsSync) ?? name,
    place,
  );
}

/** The documents and what their snippets stand on, at the places where `examples/snippets` looks for them. */
function copyDocuments(): void {
  for (const path of [
    'README.md',
    'docs',
    'tsconfig.base.json',
    'scripts/packages.cjs',
    'examples/snippets',
    'examples/sessions',
  ])
    cpSync(join(clone, path), join(project, path), { recursive: true });
  for (const { folder } of packagesIn(clone)) {
    const { private: isOurs } = JSON.parse(readFileSync(join(clone, folder, 'package.json'), 'utf8'));
    for (const file of isOurs === true ? [] : ['README.md', 'package.json'])
      cpSync(join(clone, folder, file), join(project, folder, file));
  }
  writeFileSync(join(project, 'examples/package.json'), '{"type":"module"}');
  writeFileSync(join(project, 'examples/snippets/stranger.ts'), program);
}

/** Runs every snippet and, with what they need of a test runner, those that are tests. */
const program = `import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { runSnippets } from './run.js';
import { writeSnippets } from './snippets.js';
const tests = [];
Object.assign(globalThis, {
  describe: (_, define) => define(),
  test: (name, run) => tests.push([name, run]),
  expect: createRequire(import.meta.url)(process.argv[2]).expect,
});
const all = writeSnippets();
const snippets = all.filter(({ inJest, inNewerNode }) => !inJest && !inNewerNode);
const ran = runSnippets(snippets);
const outcomes = snippets.map((one) => ({ ...one, ...ran.get(one) }));
for (const { place, file } of all.filter(({ inJest }) => inJest)) {
  let problem;
  try {
    await import(file);
    for (const [, run] of tests.splice(0)) await run();
  } catch (error) {
    problem = String(error?.stack ?? error);
  }
  outcomes.push({ place, problem, printed: '', warned: '' });
}
writeFileSync('ran.json', JSON.stringify(outcomes));
process.exit();
`;

interface Outcome {
  readonly place: string;
  readonly problem?: string;
  readonly printed: string;
  readonly prints?: string;
  readonly warned: string;
}

const published = () =>
  packagesIn(clone)
    .map(({ folder }) => JSON.parse(readFileSync(join(clone, folder, 'package.json'), 'utf8')))
    .filter((manifest) => manifest.private !== true);

/** The SDKs that the snippets take as given, and what runs TypeScript. */
const others = () => [
  'tsx',
  ...Object.keys(
    JSON.parse(readFileSync(join(root, 'examples/package.json'), 'utf8')).devDependencies,
  ).filter((name) => !name.startsWith('@ctx/')),
];

beforeAll(() => {
  cloneRepository();
  mkdirSync(project);
  calm(start(npm, ['init', '--yes'], project));
});

test('the commands of the README put ctx into a project', () => {
  const [, line = ''] =
    /^npm run (pack -- \.\.\/my-agent)/m.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? [];
  expect(calm(start(npm, ['run', ...line.split(' ')], clone))).toContain('\n  npm install\n');
  expect(calm(start(npm, ['install'], project))).toMatch(/added \d+ packages/);
  expect(readdirSync(join(project, 'node_modules/@ctx'))).toContain('fetch');
});

describe('with every package in the project', () => {
  beforeAll(() => {
    const names = published().map(({ name }) => name);
    calm(start(process.execPath, [join(clone, 'scripts/pack-for.mjs'), project, ...names], home));
    calm(start(npm, ['install', '--legacy-peer-deps'], project));
    // The strict servers are private, so no user has them; the snippets are run against them.
    [...others(), '@ctx/servers'].forEach(link);
    copyDocuments();
  });

  test.each(nodes.map((node) => [versionOf(node), node]))(
    'each snippet runs as pasted, in Node %s',
    (_, node) => {
      const expectOf = join(root, 'node_modules/.pnpm/node_modules/expect/build/index.js');
      const args = ['--import', 'tsx', 'examples/snippets/stranger.ts', expectOf];
      calm(start(node, args, project, node));
      const outcomes = JSON.parse(readFileSync(join(project, 'ran.json'), 'utf8')) as Outcome[];
      expect(outcomes.filter(({ place }) => place.startsWith('docs/guide/')).length).toBeGreaterThan(10);
      for (const { place, problem, printed, prints, warned } of outcomes)
        expect({ place, problem, printed, warned }).toEqual({
          place,
          problem: undefined,
          printed: prints ?? printed,
          warned: '',
        });
    },
  );

  test.each([
    ['@ctx/cli', ['--help'], 'Commands:'],
    ['@ctx/cli', ['demo', 'examples/sessions/late-check.openai.jsonl'], 'default pipeline'],
    ['@ctx/proxy', ['--help'], 'run'],
    ['@ctx/proxy', ['run', '--port', '0', '--', 'node', '-p', 'process.env.OPENAI_BASE_URL'], '127.0.0.1'],
  ])('npx %s %j', (name, args, printed) => {
    expect(calm(start(`${npm.slice(0, -1)}x`, [name, ...args], project))).toContain(printed);
  });
});

test('the demo runs in the clone', () => {
  expect(calm(start(npm, ['run', 'demo'], clone))).toContain('default pipeline');
});
