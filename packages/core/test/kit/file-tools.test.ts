import { and, call, planContextOf, result, transcript, user } from '@ctx/testing';
import type { ToolCallPart } from '../../src/index.js';
import { pathNormalizer } from '../../src/kit/file-path.js';
import { filesOf } from '../../src/kit/file-tools.js';
import { toolUsesOf } from '../../src/kit/tool-use.js';
import { fileReadTools, fileWriteTools } from '../../src/kit.js';

const reading = (input: unknown, toolName = 'filesystem-read'): ToolCallPart => ({
  type: 'tool-call',
  toolCallId: '1',
  toolName,
  input,
});
const read = (input: unknown, toolName?: string) => filesOf(reading(input, toolName), fileReadTools);

describe('the files that a call names', () => {
  test.each([
    ['a path', { filePath: 'a.ts' }, ['a.ts']],
    ['several paths', { filePath: ['a.ts', 'b.ts'] }, ['a.ts', 'b.ts']],
    ['objects with a path', { filePath: [{ path: 'a.ts', startLine: 1 }] }, ['a.ts']],
    [
      'a mixed list, in which empty entries do not count',
      { filePath: ['a.ts', '', { path: 'b.ts' }, { path: ' ' }, null, 7] },
      ['a.ts', 'b.ts'],
    ],
    ['a path that is named twice', { filePath: ['a.ts', { path: 'a.ts' }] }, ['a.ts']],
    ['an object in an object', { args: { file: [{ path: 'a.ts' }] } }, ['a.ts']],
  ])('%s', (_form, input, paths) => {
    expect(read(input)).toEqual(paths);
  });

  test.each([
    ['no input', undefined],
    ['an input that could not be parsed', '{"filePath": "a.ts'],
    ['a path that is empty', { filePath: '' }],
    ['a path that is null', { filePath: null }],
    ['lists in lists', { filePath: [['a.ts']] }],
    ['another argument', { query: 'a.ts' }],
  ])('%s names none', (_form, input) => {
    expect(read(input)).toEqual([]);
  });

  test('a call of another tool, or no call, names none', () => {
    expect(read({ path: 'a.ts' }, 'grep')).toEqual([]);
    expect(filesOf(undefined, fileReadTools)).toEqual([]);
  });

  test("common agents' reading tools are known by their own argument names", () => {
    expect(read({ file_path: '/p/a.ts' }, 'Read')).toEqual(['/p/a.ts']);
    expect(read({ path: 'a.ts', offset: 10 }, 'read')).toEqual(['a.ts']);
    expect(read({ target_file: 'a.ts' }, 'read_file')).toEqual(['a.ts']);
    expect(read({ paths: ['a.ts', 'b.ts'] }, 'read_multiple_files')).toEqual(['a.ts', 'b.ts']);
  });

  test('the command of a tool decides whether it shows or changes files', () => {
    const input = { command: 'view', path: 'a.ts' };
    expect(read(input, 'str_replace_editor')).toEqual(['a.ts']);
    expect(read({ ...input, command: 'create' }, 'str_replace_editor')).toEqual([]);
    expect(filesOf(reading({ ...input, command: 'create' }, 'str_replace_editor'), fileWriteTools)).toEqual([
      'a.ts',
    ]);
  });
});

describe('every spelling of a path', () => {
  const normal = pathNormalizer('/home/me/project');

  test.each([
    'src/a.tsx',
    './src/a.tsx',
    '/home/me/project/src/a.tsx',
    'src//b/../a.tsx',
    'src\\a.tsx',
    '/home/me/project/./src/a.tsx',
    'src/a.tsx/',
    '../project/src/a.tsx',
  ])('%s is src/a.tsx', (path) => {
    expect(normal(path)).toBe('src/a.tsx');
  });

  test('a path outside the root keeps its own root', () => {
    expect(normal('/etc/hosts')).toBe('/etc/hosts');
    expect(normal('../other/a.ts')).toBe('/home/me/other/a.ts');
    expect(normal('/home/me/project-two/a.ts')).toBe('/home/me/project-two/a.ts');
  });

  test('only a segment of two dots leads upwards', () => {
    expect(normal('..src/a.ts')).toBe('..src/a.ts');
    expect(normal('/home/me/project/..a/b')).toBe('..a/b');
  });

  test('Windows paths work on every system', () => {
    const windows = pathNormalizer('F:\\code\\project');
    expect(windows('f:/code/project/src/a.ts')).toBe('src/a.ts');
    expect(windows('F:\\code\\project\\src\\a.ts')).toBe('src/a.ts');
    expect(windows('C:\\other\\a.ts')).toBe('c:/other/a.ts');
  });

  test('without a root, relative paths stay relative', () => {
    expect(pathNormalizer()('./src/../a.ts')).toBe('a.ts');
    expect(pathNormalizer()('../a.ts')).toBe('../a.ts');
    expect(pathNormalizer()('/x/../a.ts')).toBe('/a.ts');
  });

  test('the root itself is a dot, and a value that is not a path is empty', () => {
    expect(normal('/home/me/project/')).toBe('.');
    for (const nothing of ['', ' ', 'a\0b', undefined, null, 7]) expect(normal(nothing as string)).toBe('');
  });
});

describe('the tool uses in a view', () => {
  test('are its results in order, each with its own call', async () => {
    const { view } = await planContextOf(
      transcript(
        user('go'),
        and(call('1', 'read', { path: 'a' }), call('2', 'read', { path: 'b' })),
        and(result('2', 'B'), result('1', 'A')),
        call('1', 'read', { path: 'c' }),
        result('1', 'C'),
      ),
      { targetTokens: 1 },
    );
    expect(
      toolUsesOf(view).map((use) => [use.message.index, use.part, use.result.output, use.call?.input]),
    ).toEqual([
      [2, 0, 'B', { path: 'b' }],
      [2, 1, 'A', { path: 'a' }],
      [4, 0, 'C', { path: 'c' }],
    ]);
  });
});
