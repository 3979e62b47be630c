import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { open, realpath, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FileSystem, readFiles } from '@ctx/file-reading';
import type { FileReadResult } from '../src/read-report.js';
import { memoryFileSystem } from './memory-file-system.js';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'ctx-bad-files-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, content: string | Uint8Array) => writeFileSync(join(folder, name), content);
const readOne = async (path: string, options: object = {}) =>
  (await readFiles([path], { root: folder, ...options })).files[0] as FileReadResult;

/** The machine's files, with a hook that runs just before one is opened. */
const disturbed = (disturb: () => void): FileSystem => ({
  realpath: (path) => realpath(path),
  stat: (path) => stat(path),
  open: (path) => {
    disturb();
    return open(path, 'r');
  },
});

test('paths that are not files', async () => {
  mkdirSync(join(folder, 'folder'));
  symlinkSync('loop', join(folder, 'loop'));
  symlinkSync('nowhere', join(folder, 'dangling'));
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  const paths = ['none', 'folder', 'loop', 'dangling', 'pipe', 'null\0', '', 'x'.repeat(5000)];
  const { files, totals } = await readFiles(paths, { root: folder });
  expect(files.map((file) => file.status !== 'read' && file.reason)).toEqual([
    'missing',
    'directory',
    'link-loop',
    'missing',
    'special',
    'invalid-path',
    'directory',
    'missing',
  ]);
  expect(totals).toMatchObject({ read: 0, blocked: 0, failed: 8 });
  expect(await readOne('/dev/zero', { root: undefined })).toMatchObject({ reason: 'special' });
});

test('a binary file is refused after its first 8 KB', async () => {
  const content = new Uint8Array(100_000).fill(65);
  content[8191] = 0;
  const fileSystem = memoryFileSystem({ '/a': { content } });
  const [file] = (await readFiles(['/a'], { fileSystem })).files;
  expect(file).toMatchObject({ status: 'blocked', reason: 'binary' });
  expect(fileSystem.bytesRead.get('/a')).toBe(8192);
});

test('text that is not UTF-8 is refused', async () => {
  write('latin', Uint8Array.of(0x63, 0x61, 0x66, 0xe9));
  write('wide', Buffer.from('\ufeffwide', 'utf16le'));
  write('marked', '\ufeffmarked');
  expect(await readOne('latin')).toMatchObject({ status: 'blocked', reason: 'not-text' });
  expect(await readOne('wide')).toMatchObject({ reason: 'binary' });
  expect(await readOne('marked')).toMatchObject({ content: 'marked' });
});

const asRoot = process.getuid?.() === 0;
const unlessRoot = asRoot ? test.skip : test;
unlessRoot(`a file without permission${asRoot ? ' (skipped: root may read every file)' : ''}`, async () => {
  write('secret', 'secret');
  chmodSync(join(folder, 'secret'), 0);
  expect(await readOne('secret')).toMatchObject({ status: 'failed', reason: 'no-permission' });
});

test('an error while reading is the result of that file alone', async () => {
  write('a', 'a');
  write('b', 'b');
  const fileSystem: FileSystem = {
    ...disturbed(() => undefined),
    open: (path) =>
      path.endsWith('a') ? Promise.reject(Object.assign(new Error(), { code: 'EACCES' })) : open(path),
  };
  const { files } = await readFiles(['a', 'b'], { root: folder, fileSystem });
  expect(files).toMatchObject([
    { status: 'failed', reason: 'no-permission', sizeInBytes: 1 },
    { status: 'read', content: 'b' },
  ]);
});

test('no path leads out of the root, not even through a link', async () => {
  mkdirSync(join(folder, 'root-2'));
  mkdirSync(join(folder, 'root'));
  write('root-2/secret', 'secret');
  write('root/..inside', 'inside');
  symlinkSync('..', join(folder, 'root/up'));
  const paths = ['../root-2/secret', 'up/root-2/secret', '..inside'];
  const { files } = await readFiles(paths, { root: join(folder, 'root') });
  const out = { status: 'blocked', reason: 'outside-root', sizeInBytes: 0 };
  expect(files).toMatchObject([out, out, { status: 'read', content: 'inside' }]);
});

test('a root that is itself a link', async () => {
  mkdirSync(join(folder, 'root'));
  write('root/a', 'a');
  symlinkSync('root', join(folder, 'link'));
  const paths = ['a', join(folder, 'root/a')];
  const { files } = await readFiles(paths, { root: join(folder, 'link') });
  expect(files.map((file) => file.status)).toEqual(['read', 'read']);
});

test('no more of a grown file is read than was checked', async () => {
  write('log', 'aé');
  const fileSystem = disturbed(() => appendFileSync(join(folder, 'log'), 'é'.repeat(10_000)));
  expect(await readOne('log', { fileSystem })).toMatchObject({
    status: 'read',
    content: 'aé',
    notice: 'The file has grown while it was read; these are its first 3 bytes.',
  });
});

test('a character split by the cut is left out', async () => {
  const fileSystem = memoryFileSystem({ '/log': { content: 'aé', size: 2 } });
  const [file] = (await readFiles(['/log'], { fileSystem })).files;
  expect(file).toMatchObject({ status: 'read', content: 'a', notice: expect.stringContaining('2 bytes') });
});

test('a file that has shrunk is read as it is', async () => {
  write('log', 'many words');
  const fileSystem = disturbed(() => write('log', 'few'));
  expect(await readOne('log', { fileSystem })).toMatchObject({ status: 'read', content: 'few', tokens: 1 });
});

test('a file that is said to be empty and is not', async () => {
  const fileSystem = memoryFileSystem({ '/a': { content: 'made up by the kernel', size: 0 } });
  const [file] = (await readFiles(['/a'], { fileSystem })).files;
  expect(file).toMatchObject({ status: 'failed', reason: 'changed' });
});

test('a file too large for a string is not opened', async () => {
  const fileSystem = memoryFileSystem({ '/a': { content: '', size: 2 ** 40 } });
  const limits = { enableStrictMode: false };
  const [file] = (await readFiles(['/a'], { fileSystem, limits })).files;
  expect(file).toMatchObject({ status: 'failed', reason: 'io' });
  expect(fileSystem.opened).toEqual([]);
});
