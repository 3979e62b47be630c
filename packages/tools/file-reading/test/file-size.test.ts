import { mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkFile, getFileSizeInfo } from '@ctx/file-reading';
import { fileSizeInfo } from '../src/size-check.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ctx-file-size-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  [0, 0, 0],
  [1, 1 / 1_048_576, 1],
  [4, 4 / 1_048_576, 1],
  [5, 5 / 1_048_576, 2],
  [1_048_576, 1, 262_144],
])('%d bytes are %d MB and an estimate of %d tokens', async (bytes, sizeInMB, estimatedTokens) => {
  const path = join(folder, 'a');
  writeFileSync(path, '');
  truncateSync(path, bytes);
  const size = { sizeInBytes: bytes, sizeInMB, estimatedTokens };
  expect(await getFileSizeInfo(path)).toEqual({ ...size, isEstimate: true });
});

test('a link has the size of its target', async () => {
  writeFileSync(join(folder, 'a'), 'abcdefgh');
  symlinkSync('a', join(folder, 'b'));
  expect(await getFileSizeInfo(join(folder, 'b'))).toEqual(fileSizeInfo(8));
});

test('an error of the system that has no name of its own keeps its code', async () => {
  const failing = (error: unknown) => ({ stat: () => Promise.reject(error) });
  expect(await getFileSizeInfo('a', failing({ code: 'EIO' }))).toEqual({
    problem: 'io',
    error: 'The file could not be read (EIO).',
  });
  for (const error of [undefined, null, 'text', new Error('none')]) {
    expect(await getFileSizeInfo('a', failing(error))).toMatchObject({ problem: 'io' });
  }
});

test('checkFile says of a path what checkFileSize says of a size', async () => {
  const path = join(folder, 'a');
  writeFileSync(path, '');
  truncateSync(path, 200_001);
  const size = { sizeInBytes: 200_001, estimatedTokens: 50_001 };
  expect(await checkFile(path)).toMatchObject({ status: 'blocked', reason: 'file-tokens', ...size });
  truncateSync(path, 8);
  expect(await checkFile(path)).toMatchObject({ status: 'approved', sizeInBytes: 8 });
  expect(await checkFile(folder)).toMatchObject({ status: 'failed', problem: 'directory' });
  expect(await checkFile(join(folder, 'none'))).toMatchObject({ status: 'failed', problem: 'missing' });
});
