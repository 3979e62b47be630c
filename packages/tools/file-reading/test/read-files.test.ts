import { contextBudget } from '@ctx/core';
import { readFiles } from '@ctx/file-reading';
import { managerOf, user, words } from '@ctx/testing';
import type { FileReadResult } from '../src/read-report.js';
import { memoryFileSystem } from './memory-file-system.js';

const ascii = (bytes: number) => 'x'.repeat(bytes);
const byPath = (files: readonly FileReadResult[]) =>
  Object.fromEntries(files.map((file) => [file.path, file]));
const roomFor = (remainingTokens: number) => ({
  budget: () =>
    contextBudget({
      contextWindow: 200_000,
      reservedTokens: 0,
      systemTokens: 0,
      usedTokens: 200_000 - remainingTokens,
    }),
});

test('small files are read, large ones are refused and not opened', async () => {
  const fileSystem = memoryFileSystem({
    '/small': 'Hello',
    '/large': { content: '', size: 200_001 },
    '/huge': { content: '', size: 11 * 1_048_576 },
  });
  const report = await readFiles(['/small', '/large', '/huge', '/none'], { fileSystem });
  expect(fileSystem.opened).toEqual(['/small']);
  expect(report.files).toEqual([
    { path: '/small', status: 'read', content: 'Hello', sizeInBytes: 5, estimatedTokens: 2, tokens: 2 },
    {
      path: '/large',
      status: 'blocked',
      reason: 'file-tokens',
      error: 'File has too many tokens: ~50001 (max 50000). Please use line_range to read specific sections.',
      detail: expect.stringContaining('search_files'),
      sizeInBytes: 200_001,
      estimatedTokens: 50_001,
    },
    {
      path: '/huge',
      status: 'blocked',
      reason: 'file-size',
      error: 'File too large: 11.00MB (max 10MB). Please use line_range to read specific sections.',
      detail: expect.stringContaining('search_files'),
      sizeInBytes: 11_534_336,
      estimatedTokens: 2_883_584,
    },
    {
      path: '/none',
      status: 'failed',
      reason: 'missing',
      error: 'No such file. Check the path.',
      sizeInBytes: 0,
      estimatedTokens: 0,
    },
  ]);
  expect(report.totals).toEqual({ read: 1, blocked: 2, failed: 1, bytes: 5, tokens: 2, estimated: true });
  expect(report.notices).toEqual([]);
});

test('files that are too many together are all refused, and none is opened', async () => {
  const fileSystem = memoryFileSystem({
    '/a': ascii(200_000),
    '/b': ascii(200_000),
    '/c': ascii(40_000),
    '/d': { content: '', size: 300_000 },
  });
  const { files, reads, totals } = await readFiles(['/a', '/b', '/c', '/d'], { fileSystem });
  expect(fileSystem.opened).toEqual([]);
  expect(files.map((file) => (file.status === 'read' ? undefined : file.reason))).toEqual([
    'batch-tokens',
    'batch-tokens',
    'batch-tokens',
    'file-tokens',
  ]);
  expect(totals).toMatchObject({ read: 0, blocked: 4, bytes: 0 });
  expect(reads).toMatchObject({ file_read_rejected_count: 4, batch_read_rejected_count: 1 });
});

test('the limits follow from the window, and give way to overrides', async () => {
  const fileSystem = memoryFileSystem({ '/a': ascii(13_105) });
  const statusWith = async (options: object) =>
    (await readFiles(['/a'], { fileSystem, ...options })).files[0]?.status;
  expect(await statusWith({})).toBe('read');
  expect(await statusWith({ contextWindow: 8192 })).toBe('blocked');
  expect(await statusWith({ contextWindow: 8192, limits: { singleFileMaxTokens: 3277 } })).toBe('read');
  expect(await statusWith({ contextWindow: 8192, limits: { enableStrictMode: false } })).toBe('read');
  expect(await statusWith({ contextWindow: 10_000 })).toBe('read');
  expect(await statusWith({ contextWindow: 10_000, safetyBuffer: 0.2 })).toBe('blocked');
});

test('a large file and a large batch come with notices', async () => {
  const fileSystem = memoryFileSystem({
    '/a': ascii(160_000),
    '/b': ascii(120_000),
  });
  const { files, notices, reads } = await readFiles(['/a', '/b'], { fileSystem, contextWindow: 200_000 });
  expect(byPath(files)).toMatchObject({
    '/a': { notice: 'Large file: ~40000 tokens. This will consume significant context.' },
  });
  expect(files[1]).not.toHaveProperty('notice');
  expect(notices).toEqual([
    'Warning: Batch read will consume ~70000 tokens (0.27MB). This is 35.0% of your context window.',
  ]);
  expect(reads.file_read_warned_count).toBe(1);
});

test('if not all files fit into the rest, the smallest are read', async () => {
  const fileSystem = memoryFileSystem({
    '/a': ascii(24_000),
    '/b': ascii(4000),
    '/c': ascii(4000),
  });
  const options = { fileSystem, manager: roomFor(10_000) };
  const { files, recommendation } = await readFiles(['/a', '/b', '/c'], options);
  expect(fileSystem.opened).toEqual(['/b', '/c']);
  expect(recommendation).toMatchObject({ strategy: 'use_line_range', allowedFiles: ['/b', '/c'] });
  expect(files[0]).toMatchObject({
    status: 'blocked',
    reason: 'context',
    error: expect.stringMatching(/^Cannot read all 3 files \(8000 tokens exceeds safe limit\)/),
  });
});

test('if nothing is left, nothing is opened, strict or not', async () => {
  const fileSystem = memoryFileSystem({ '/a': ascii(400), '/empty': '' });
  const options = { fileSystem, manager: roomFor(0), limits: { enableStrictMode: false } };
  const { files, recommendation } = await readFiles(['/a'], options);
  expect(fileSystem.opened).toEqual([]);
  expect(recommendation?.strategy).toBe('reject_all');
  expect(files[0]).toMatchObject({ status: 'blocked', reason: 'context', error: recommendation?.message });
  expect((await readFiles(['/empty'], options)).files[0]).toMatchObject({ status: 'read', content: '' });
});

test('files that take much of the rest come with a warning', async () => {
  const fileSystem = memoryFileSystem({ '/a': ascii(16_000), '/b': ascii(4000) });
  const noticesFor = async (room: number) =>
    (await readFiles(['/a', '/b'], { fileSystem, manager: roomFor(room) })).notices;
  expect(await noticesFor(52_000)).toEqual([expect.stringMatching(/^Warning: Adding 5000 tokens/)]);
  expect(await noticesFor(10_000)).toEqual([expect.stringMatching(/^Warning: Reading all 2 files/)]);
});

test('a ContextManager says what is left', async () => {
  const fileSystem = memoryFileSystem({ '/a': ascii(8000), '/b': ascii(14_000) });
  const manager = managerOf([user(words(500))], { contextWindow: 10_000, config: { reserve: 2000 } });
  const { recommendation, files } = await readFiles(['/a', '/b'], { fileSystem, manager });
  expect(recommendation?.strategy).toBe('use_line_range');
  expect(files.map((file) => file.status)).toEqual(['read', 'blocked']);
});

test('a text with more tokens than its size suggested is measured again, and refused if it is over', async () => {
  // More than half of the characters are Chinese: 1.8 characters a token, and two bytes a character.
  const dense = '汉字语言a.b'.repeat(100);
  const size = new TextEncoder().encode(dense).length;
  const fileSystem = memoryFileSystem({ '/a': dense, '/b': 'b' });
  const { files, totals } = await readFiles(['/a', '/b'], {
    fileSystem,
    limits: { singleFileMaxTokens: 375 },
  });
  expect(files).toEqual([
    {
      path: '/a',
      status: 'blocked',
      reason: 'file-tokens',
      error: 'File has too many tokens: ~389 (max 375). Please use line_range to read specific sections.',
      detail: expect.stringContaining('Total lines in file: 1'),
      sizeInBytes: size,
      estimatedTokens: 375,
      tokens: 389,
    },
    expect.objectContaining({ status: 'read', tokens: 1 }),
  ]);
  expect(totals).toMatchObject({ read: 1, blocked: 1, tokens: 1 });

  const { files: counted, totals: exact } = await readFiles(['/a'], {
    fileSystem,
    counter: { count: (text) => text.length },
  });
  expect(counted[0]).toMatchObject({ status: 'read', estimatedTokens: 375, tokens: 700 });
  expect(exact.estimated).toBe(false);
});

test('texts that no longer fit together are refused: over a limit all, over the context those that come last', async () => {
  const fileSystem = memoryFileSystem({ '/a': ascii(4000), '/b': ascii(4000) });
  const counter = { count: (text: string) => text.length };
  const limits = { batchTotalMaxTokens: 7999 };
  const batch = await readFiles(['/a', '/b'], { fileSystem, counter, limits });
  expect(batch.files.map((file) => file.status)).toEqual(['blocked', 'blocked']);
  expect(batch.files[0]).toMatchObject({ reason: 'batch-tokens', tokens: 4000 });

  const room = await readFiles(['/a', '/b'], { fileSystem, counter, manager: roomFor(7999) });
  expect(room.files.map((file) => file.status)).toEqual(['read', 'blocked']);
  expect(room.files[1]).toMatchObject({
    reason: 'context',
    error: 'Not enough context space. Need 4000 tokens, but only 3999 remaining (98.0% used)',
  });
});

test('a counter that can not be loaded estimates', async () => {
  const fileSystem = memoryFileSystem({ '/a': 'abc' });
  const counter = { loaded: false, load: () => Promise.reject(new Error('offline')), count: () => 7 };
  const { totals } = await readFiles(['/a'], { fileSystem, counter });
  expect(totals).toMatchObject({ tokens: 7, estimated: true });
});

test('the same file is read once, whichever way its path is written', async () => {
  const fileSystem = memoryFileSystem({ '/folder/a': 'a' });
  const { files } = await readFiles(['/folder/a', '/folder/./a', '/folder/b/../a', '/folder/a'], {
    fileSystem,
  });
  expect(files.map(({ path }) => path)).toEqual(['/folder/a']);
  expect(fileSystem.opened).toEqual(['/folder/a']);
});

test('a path that is a property of every object is a path like any other', async () => {
  const fileSystem = memoryFileSystem({ '/__proto__': 'a', '/constructor': 'b' });
  const { files } = await readFiles(['__proto__', 'constructor'], { fileSystem, root: '/' });
  expect(files.map((file) => file.status === 'read' && file.content)).toEqual(['a', 'b']);
});

test('no files are no files', async () => {
  const { files, totals, reads } = await readFiles([]);
  expect(files).toEqual([]);
  expect(totals).toEqual({ read: 0, blocked: 0, failed: 0, bytes: 0, tokens: 0, estimated: true });
  expect(Object.values(reads)).toEqual([0, 0, 0, 0, 0, 0]);
});

test('a call counts what was read and refused', async () => {
  const large = { content: '', size: 200_001 };
  const fileSystem = memoryFileSystem({ '/a': ascii(400), '/b': ascii(800), '/c': large });
  const rejected: unknown[] = [];
  const onRejected = (...event: unknown[]) => {
    rejected.push(event);
    throw new Error('a listener that fails');
  };
  const { reads } = await readFiles(['/a', '/b', '/c', '/none'], { fileSystem, onRejected });
  expect(reads).toEqual({
    file_read_rejected_count: 1,
    file_read_warned_count: 0,
    batch_read_rejected_count: 0,
    file_read_count: 2,
    avg_file_tokens: 150,
    max_file_tokens_per_read: 300,
  });
  expect(rejected).toEqual([['/c', 200_001 / 1_048_576, 50_001, 'file-tokens']]);
});

test('a caller who aborts gets an error, and nothing more is read', async () => {
  const fileSystem = memoryFileSystem({ '/a': ascii(4), '/b': ascii(4) });
  const signal = AbortSignal.abort('no longer needed');
  await expect(readFiles(['/a'], { fileSystem, signal })).rejects.toMatchObject({
    code: 'aborted',
    cause: 'no longer needed',
  });
  expect(fileSystem.opened).toEqual([]);

  const controller = new AbortController();
  const abortsOnOpen = {
    ...fileSystem,
    open: (path: string) => {
      controller.abort();
      return fileSystem.open(path);
    },
  };
  const options = { fileSystem: abortsOnOpen, signal: controller.signal };
  await expect(readFiles(['/a', '/b'], options)).rejects.toMatchObject({ code: 'aborted' });
  expect(fileSystem.opened).toEqual(['/a']);
});

test.each([
  [{ window: 1 }, 'options'],
  [{ contextWindow: 0 }, 'options.contextWindow'],
  [{ limits: { batchTotalMaxMb: 1 } }, 'limits'],
  [{ limits: 5 }, 'limits'],
  [{ safetyBuffer: 2 }, 'options.safetyBuffer'],
  [{ manager: {} }, 'options.manager'],
  [{ signal: 'stop' }, 'options.signal'],
  [{ onRejected: 'log' }, 'options.onRejected'],
  [{ root: '/no/such/folder' }, 'root'],
  [{ root: '' }, 'options.root'],
])('options that can not work: %j', async (options, place) => {
  await expect(readFiles(['/a'], options as never)).rejects.toMatchObject({ code: 'config-invalid', place });
});

test.each(['/a', [1], undefined, null, [null]])('values that are not paths: %j', async (paths) => {
  await expect(readFiles(paths as never)).rejects.toMatchObject({ code: 'config-invalid' });
});

test('a notice that the size suggested leaves when the text has fewer tokens', async () => {
  const fileSystem = memoryFileSystem({ '/a': { content: 'x'.repeat(160_000) } });
  const counter = { count: () => 7 };
  const { files } = await readFiles(['/a'], { fileSystem, counter });
  expect(files).toMatchObject([{ status: 'read', tokens: 7 }]);
  expect(files[0]).not.toHaveProperty('notice');
});
