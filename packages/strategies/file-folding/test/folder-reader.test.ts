import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type FileSystem,
  fill,
  isProblem,
  type LocatedFile,
  locate,
  nodeFileSystem,
  withFile,
} from '../src/folder-reader.js';

let base: string;
let root: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'ctx-reader-')));
  root = join(base, 'root');
  mkdirSync(join(root, 'folder'), { recursive: true });
  writeFileSync(join(root, 'folder/file'), 'inside');
  writeFileSync(join(base, 'secret'), 'outside');
});
afterEach(() => rmSync(base, { recursive: true }));

const opened: string[] = [];
const watched: FileSystem = {
  ...nodeFileSystem,
  open(path) {
    opened.push(path);
    return nodeFileSystem.open(path);
  },
};

const find = (path: string) => locate(join(root, path), { folder: root, root }, watched);

async function read(path: string, between = () => {}): Promise<string> {
  opened.length = 0;
  const located = await find(path);
  if (isProblem(located)) return located.problem;
  between();
  const result = await withFile(located, { fileSystem: watched }, async (open, { size }) => {
    const bytes = new Uint8Array(size);
    return { text: new TextDecoder().decode(bytes.subarray(0, await fill(open, bytes, 0, size))) };
  });
  return isProblem(result) ? result.problem : result.text;
}

test('a file in the folder is read, even through a link that stays inside', async () => {
  symlinkSync('folder/file', join(root, 'link'));
  expect(await read('folder/file')).toBe('inside');
  expect(await read('link')).toBe('inside');
});

test('a refused file is never opened', async () => {
  symlinkSync(join(base, 'secret'), join(root, 'out'));
  symlinkSync('circle', join(root, 'circle'));
  symlinkSync('/dev/zero', join(root, 'device'));
  execFileSync('mkfifo', [join(root, 'pipe')]);
  const problems: string[] = [];
  for (const path of ['../secret', 'out', 'circle', 'device', 'pipe', 'folder', 'nowhere', 'a\0b']) {
    problems.push(await read(path));
    expect(opened).toEqual([]);
  }
  expect(problems).toEqual([
    'outside-root',
    'outside-root',
    'link-loop',
    'outside-root',
    'special',
    'directory',
    'missing',
    'invalid-path',
  ]);
});

test.each<[string, () => void]>([
  ['another file', () => replace('folder/file', () => writeFileSync(join(root, 'folder/file'), 'another'))],
  ['a link', () => replace('folder/file', () => symlinkSync('../../secret', join(root, 'folder/file')))],
  ['a pipe', () => replace('folder/file', () => execFileSync('mkfifo', [join(root, 'folder/file')]))],
  ['a file behind a folder that became a link', () => replace('folder', () => becomeLink())],
])('%s in its place, after it was located, is not read', async (_what, between) => {
  expect(['changed', 'special']).toContain(await read('folder/file', between));
});

test('if the system does not say where an opened file is, its path is looked up again', async () => {
  const located = (await find('folder/file')) as LocatedFile;
  const blind: FileSystem = {
    ...nodeFileSystem,
    async open(path) {
      const { realpath: _none, ...file } = await nodeFileSystem.open(path);
      return file;
    },
  };
  const use = async () => ({ text: 'read' });
  expect(await withFile(located, { fileSystem: blind }, use)).toEqual({ text: 'read' });
  replace('folder', () => becomeLink());
  const { realPath } = located;
  expect(await withFile({ realPath }, { fileSystem: blind }, use)).toMatchObject({ problem: 'changed' });
});

test('an abort is thrown with its reason, and the file is closed', async () => {
  const located = (await find('folder/file')) as LocatedFile;
  const controller = new AbortController();
  const reading = withFile(located, { fileSystem: watched, signal: controller.signal }, async () => {
    controller.abort(new Error('enough'));
    throw new Error('broken off');
  });
  await expect(reading).rejects.toThrow('enough');
});

function replace(path: string, by: () => void): void {
  renameSync(join(root, path), join(base, 'moved'));
  by();
}

function becomeLink(): void {
  mkdirSync(join(base, 'away'));
  writeFileSync(join(base, 'away/file'), 'outside');
  symlinkSync(join(base, 'away'), join(root, 'folder'));
}
