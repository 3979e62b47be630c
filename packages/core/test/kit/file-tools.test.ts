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

const project = '/home/me/project';
const drive = 'F:\\code\\project';
test.each<[path: unknown, normal: string, root: string | undefined]>([
  ['src/a.tsx', 'src/a.tsx', project],
  ['./src/a.tsx', 'src/a.tsx', project],
  ['/home/me/project/src/a.tsx', 'src/a.tsx', project],
  ['src//b/../a.tsx', 'src/a.tsx', project],
  ['src\\a.tsx', 'src/a.tsx', project],
  ['/home/me/project/./src/a.tsx', 'src/a.tsx', project],
  ['src/a.tsx/', 'src/a.tsx', project],
  ['../project/src/a.tsx', 'src/a.tsx', project],
  ['/home/me/project/', '.', project],
  // Outside the root, a path keeps its own.
  ['/etc/hosts', '/etc/hosts', project],
  ['../other/a.ts', '/home/me/other/a.ts', project],
  ['/home/me/project-two/a.ts', '/home/me/project-two/a.ts', project],
  // Only a segment of two dots leads upwards.
  ['..src/a.ts', '..src/a.ts', project],
  ['/home/me/project/..a/b', '..a/b', project],
  ['f:/code/project/src/a.ts', 'src/a.ts', drive],
  ['F:\\code\\project\\src\\a.ts', 'src/a.ts', drive],
  ['C:\\other\\a.ts', 'c:/other/a.ts', drive],
  ['./src/../a.ts', 'a.ts', undefined],
  ['../a.ts', '../a.ts', undefined],
  ['/x/../a.ts', '/a.ts', undefined],
  ...['', ' ', 'a\0b', undefined, null, 7].map(
    (nothing) => [nothing, '', project] as [unknown, string, string],
  ),
])('the path %j is written %j in %s', (path, normal, root) => {
  expect(pathNormalizer(root)(path as string)).toBe(normal);
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
