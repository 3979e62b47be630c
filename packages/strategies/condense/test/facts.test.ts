import type { Message } from '@ctx/core';
import { assistant, call, result, transcript, user } from '@ctx/testing';
import { History } from '../src/history.js';

const factsOf = (messages: readonly Message[]) => new History(messages).facts;
const use = (id: string, tool: string, input: unknown, output: string, fields = {}): Message[] =>
  transcript(call(id, tool, input), result(id, output, fields));

test('files that were changed and read are listed once, with their last position', () => {
  const messages = [
    ...use('1', 'read', { path: 'a.ts' }, 'A'),
    ...use('2', 'Edit', { file_path: 'b.ts' }, 'done'),
    ...use('3', 'read', { path: 'a.ts' }, 'A again'),
    ...use('4', 'Write', { file_path: 'c.ts' }, 'Error: no permission'),
  ];
  const { filesWritten, filesRead } = factsOf(messages);
  expect(filesWritten).toEqual([{ text: 'b.ts', at: 3 }]);
  expect(filesRead).toEqual([{ text: 'a.ts', at: 5 }]);
});

test('an error is given by its line, and is resolved when the same call succeeds later', () => {
  const messages = [
    ...use('1', 'bash', { command: 'npm test' }, 'running\nTypeError: x is undefined\n    at a.ts:3'),
    ...use('2', 'bash', { command: 'npm run lint' }, 'src/a.ts:1 error: unused x'),
    ...use('3', 'bash', { command: 'npm test' }, 'all passed'),
  ];
  expect(factsOf(messages).errors).toEqual(
    [
      { text: 'src/a.ts:1 error: unused x', at: 3, resolved: false },
      { text: 'TypeError: x is undefined', at: 1, resolved: true },
    ].sort((a, b) => a.at - b.at),
  );
  expect(factsOf(messages).commands).toEqual([
    { text: 'npm run lint', at: 3, ok: false },
    { text: 'npm test', at: 5, ok: true },
  ]);
});

test('the contents of a file are not an error', () => {
  expect(factsOf(use('1', 'read', { path: 'log.txt' }, 'TypeError: x is undefined')).errors).toEqual([]);
  expect(factsOf(use('1', 'read', { path: 'log.txt' }, 'Error: no such file')).errors).toHaveLength(1);
});

test('the error flag of a tool makes any text an error', () => {
  const [error] = factsOf(use('1', 'fetch', { url: 'x' }, 'the host is gone', { isError: true })).errors;
  expect(error).toEqual({ text: 'the host is gone', at: 1, resolved: false });
});

test.each([
  'FAILED tests/test_a.py::test_b',
  'Traceback (most recent call last):',
  'panic: nil pointer',
  'error[E0308]: mismatched types',
  'java.lang.NullPointerException: x',
  'exit code: 1',
])('%s is an error', (line) => {
  expect(factsOf(use('1', 'bash', { command: 'x' }, line)).errors).toHaveLength(1);
});

test.each([
  '0 errors',
  'the error handling is in errors.ts',
  'no failures',
  'class MyError extends Error {}',
])('%s is none', (line) => {
  expect(factsOf(use('1', 'bash', { command: 'x' }, line)).errors).toEqual([]);
});

describe('open points', () => {
  test('are those of the newest list of a tool', () => {
    const todos = [
      { content: 'write tests', status: 'pending' },
      { content: 'fix a', status: 'completed' },
    ];
    const messages = [
      ...use('1', 'TodoWrite', { todos: [{ content: 'old', status: 'pending' }] }, 'ok'),
      ...use('2', 'TodoWrite', { todos }, 'ok'),
    ];
    expect(factsOf(messages).todos).toEqual([{ text: 'write tests', at: 2 }]);
    const plan = [{ step: 'look', status: 'in_progress' }];
    expect(factsOf(use('3', 'update_plan', { plan }, 'ok')).todos).toEqual([{ text: 'look', at: 0 }]);
  });

  test('or are the unticked boxes of the newest message that has boxes', () => {
    const messages = [
      assistant('- [ ] old'),
      user('Plan:\n- [x] read\n- [ ] write\n* [ ] test'),
      assistant('fine'),
    ];
    expect(factsOf(messages).todos.map(({ text }) => text)).toEqual(['write', 'test']);
  });
});

test('an empty conversation has no facts', () => {
  expect(factsOf([])).toEqual({ filesWritten: [], filesRead: [], commands: [], errors: [], todos: [] });
});
