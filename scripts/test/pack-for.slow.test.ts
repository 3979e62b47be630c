import { spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const home = mkdtempSync(join(tmpdir(), 'pack for '));
afterAll(() => rmSync(home, { recursive: true, force: true }));

function start(command: string, args: readonly string[], cwd: string) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    // What npm tells its scripts is not for the managers that are started here; yarn keeps its cache at HOME.
    env: {
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_package'))),
      HOME: home,
      CI: '1',
    },
  });
  return { status, said: `${stdout}${stderr}`, out: stdout };
}

/** A user's project: its package.json and, beside it, what its package manager leaves there. */
function projectOf(name: string, manifest: string | undefined, files: Record<string, string> = {}): string {
  const folder = join(home, name);
  mkdirSync(folder);
  if (manifest !== undefined) writeFileSync(join(folder, 'package.json'), manifest);
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  return folder;
}

const packFor = (...args: string[]) =>
  start(process.execPath, [join(__dirname, '../pack-for.mjs'), ...args], home);

const program = `import { contextFetch } from '@ctx/fetch';
const fetch = contextFetch({
  config: { contextWindow: 2_000 },
  send: async (url, { body }) => Response.json({ sent: JSON.parse(body).messages.length }),
});
const messages = Array.from({ length: 200 }, (_, index) => ({
  role: index % 2 === 0 ? 'user' : 'assistant',
  content: 'Message ' + index + ' of a long conversation about the weather in the mountains.',
}));
const body = JSON.stringify({ model: 'gpt-4o', messages });
const { sent } = await (await fetch('http://127.0.0.1:9/v1/chat/completions', { method: 'POST', body })).json();
console.log(sent > 0 && sent < 200 ? 'compressed' : sent + ' messages are sent');
`;

/** Bytes of files, which take some more on a disk. With @ctx/fetch come core, the codecs, the strategies and zod. */
const mostInstalled = 20_000_000;

/** Without what links lead to, which pnpm has many of. */
const bytesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + lstatSync(join(parentPath, name)).size, 0);

const bin = dirname(process.execPath);
const npx = ['exec', '--yes', '--'];

describe.each([
  ['npm', {}, ['install', '--no-audit', '--no-fund']],
  ['pnpm', { 'pnpm-lock.yaml': '' }, [...npx, 'pnpm@10', 'install', '--no-frozen-lockfile']],
  ['yarn', { 'yarn.lock': '' }, [...npx, 'yarn@1', 'install']],
])('a project of %s', (manager, files, install) => {
  test('has what it asked for after the command that is printed', () => {
    const manifest = `{\n\t"name": "my-agent",\n\t"type": "module",\n\t"dependencies": { "eventemitter3": "^5.0.0" }\n}\n`;
    const folder = projectOf(manager, manifest, { ...files, 'agent.mjs': program });
    const packed = packFor(folder);
    expect(packed).toMatchObject({ status: 0, said: expect.stringContaining(`  ${manager} install\n`) });
    const written = readFileSync(join(folder, 'package.json'), 'utf8');
    expect(written).toContain('\n\t"name": "my-agent"');
    expect(JSON.parse(written).dependencies).toMatchObject({
      eventemitter3: '^5.0.0',
      '@ctx/fetch': expect.stringContaining('file:ctx-packages/'),
    });
    expect(start(join(bin, 'npm'), install, folder)).toMatchObject({ status: 0 });
    for (const grammars of ['web-tree-sitter', '@vscode/tree-sitter-wasm'])
      expect(existsSync(join(folder, 'node_modules', grammars))).toBe(false);
    expect(start(process.execPath, ['agent.mjs'], folder)).toMatchObject({
      said: 'compressed\n',
    });
    expect(bytesIn(join(folder, 'node_modules'))).toBeLessThan(mostInstalled);
  });
});

const ours = (folder: string) =>
  Object.keys(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).dependencies)
    .filter((name) => name.startsWith('@ctx/'))
    .sort();

test('a project gets what fits its dependencies', () => {
  const dependencies = { ai: '^7.0.0', langchain: '^1.2.0' };
  const folder = projectOf('with-sdks', JSON.stringify({ dependencies }));
  expect(packFor(folder)).toMatchObject({
    status: 0,
    said: expect.stringContaining('The project uses ai and langchain.'),
  });
  expect(ours(folder)).toEqual(['@ctx/ai-sdk', '@ctx/core', '@ctx/fetch', '@ctx/langchain', '@ctx/presets']);
  expect(readdirSync(join(folder, 'ctx-packages')).join()).not.toContain('ctx-cli');
});

test.each([5, 6, 7])('the middleware, the command and the proxy install beside the AI SDK %i', (major) => {
  const folder = projectOf(`ai-${major}`, JSON.stringify({ dependencies: { ai: `^${major}.0.0` } }));
  expect(packFor(folder, '@ctx/ai-sdk', '@ctx/cli', '@ctx/proxy')).toMatchObject({ status: 0 });
  const install = ['install', '--dry-run', '--no-audit', '--no-fund'];
  expect(start(join(bin, 'npm'), install, folder)).toMatchObject({ status: 0 });
});

test('whether a project can have them is known before anything is packed', () => {
  const folder = projectOf('looked-at', '{}');
  expect(packFor('--look', folder)).toMatchObject({ status: 0, said: '' });
  expect(readdirSync(folder)).toEqual(['package.json']);
});

test('packing again changes nothing in the project', () => {
  const folder = projectOf('again', '{}');
  expect(packFor(folder)).toMatchObject({ status: 0 });
  const files = () => [
    readFileSync(join(folder, 'package.json'), 'utf8'),
    readdirSync(join(folder, 'ctx-packages')),
  ];
  const before = files();
  expect(packFor(folder)).toMatchObject({ status: 0 });
  expect(files()).toEqual(before);
});

test.each([
  ['nothing', undefined, [], 'npm init -y'],
  ['no JSON', '{', [], 'nothing was written'],
  ['a list', '[]', [], 'nothing was written'],
  ['an unknown package', '{}', ['@ctx/nothing'], 'There is no package @ctx/nothing. There are: @ctx/'],
])('a folder with %s stays as it was', (name, manifest, names, problem) => {
  const folder = projectOf(name, manifest);
  expect(packFor(folder, ...names)).toMatchObject({ status: 2, said: expect.stringContaining(problem) });
  expect(readdirSync(folder)).toEqual(manifest === undefined ? [] : ['package.json']);
  if (manifest !== undefined) expect(readFileSync(join(folder, 'package.json'), 'utf8')).toBe(manifest);
});

test('without a folder it says how to name one', () => {
  expect(packFor()).toMatchObject({
    status: 2,
    said: expect.stringContaining('npm run pack -- ../my-agent'),
  });
});
