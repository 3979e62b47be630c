import type { ToolCallPart } from '@ctx/core';
import { fileAccessOf } from '../src/file-state.js';

const made = (toolName: string, input: unknown): ToolCallPart => ({
  type: 'tool-call',
  toolCallId: 'x',
  toolName,
  input,
});
const patch = '*** Begin Patch\n*** Update File: src/a.ts\n@@\n-a\n+b\n*** End Patch';

describe('a call shows', () => {
  test.each([
    ['a file that is read', 'read', { path: 'src/a.ts' }, 'read', false],
    ['a file under another argument', 'Read', { file_path: 'src/a.ts' }, 'read', false],
    ['a part of a file', 'Read', { file_path: 'src/a.ts', offset: 10, limit: 20 }, 'read', true],
    [
      'the lines that an editor views',
      'str_replace_editor',
      { command: 'view', path: 'src/a.ts', view_range: [1, 9] },
      'read',
      true,
    ],
    [
      'a file that an editor views',
      'str_replace_editor',
      { command: 'view', path: 'src/a.ts' },
      'read',
      false,
    ],
    ['a file that a command prints', 'bash', { command: 'cat src/a.ts' }, 'read', false],
    [
      'a file that a command prints in a folder',
      'bash',
      { command: 'cd /repo && cat src/a.ts' },
      'read',
      false,
    ],
    ['the beginning of a file', 'bash', { command: 'head -50 src/a.ts' }, 'read', true],
    ['some lines of a file', 'bash', { command: "sed -n '1,40p' src/a.ts | less" }, 'read', true],
    ['a file that is written', 'write', { path: 'src/a.ts', content: 'a' }, 'wrote', false],
    [
      'a file that a command writes',
      'bash',
      { command: "cat > src/a.ts << 'EOF'\nls > b\nEOF" },
      'wrote',
      false,
    ],
    [
      'what becomes of a part of a file',
      'edit',
      { path: 'src/a.ts', old_string: 'a', new_string: 'b' },
      'edited',
      true,
    ],
    ['what a patch makes of a part', 'apply_patch', { input: patch }, 'edited', true],
    ['what sed makes of a part', 'bash', { command: 'sed -i s/a/b/ src/a.ts' }, 'edited', true],
  ])('%s', (_, toolName, input, how, isPart) => {
    expect(fileAccessOf(made(toolName, input))).toEqual({ path: 'src/a.ts', how, isPart });
  });
});

describe('a call shows no file', () => {
  test.each([
    ['if it only searches', 'grep', { pattern: 'a', path: 'src' }],
    ['if it lists a folder', 'bash', { command: 'ls src' }],
    ['if it runs tests', 'bash', { command: 'npm test' }],
    ['if it reads several files', 'read_multiple_files', { paths: ['a.ts', 'b.ts'] }],
    ['if it names none', 'read', {}],
    ['if its arguments are no object', 'read', 'src/a.ts'],
    ['if it orders something', 'cancel_order', { order_id: '#W1' }],
  ])('%s', (_, toolName, input) => {
    expect(fileAccessOf(made(toolName, input))).toBeUndefined();
  });
});
