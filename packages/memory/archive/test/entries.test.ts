import type { Message, ToolCallPart } from '@ctx/core';
import { entriesOf } from '../src/index.js';

const call: ToolCallPart = {
  type: 'tool-call',
  toolCallId: 'c1',
  toolName: 'edit',
  input: { path: 'src/app.ts', edits: [{ old: 'one\ntwo', new: 'three' }] },
};

test('a message has an entry for each part with text, on the lines where it stands', () => {
  const message: Message = {
    role: 'assistant',
    createdAt: 5,
    content: [
      { type: 'reasoning', text: 'secret thoughts' },
      { type: 'text', text: 'I change\nthe file.' },
      call,
    ],
  };
  expect(entriesOf({ conversation: 'c', number: 3, message })).toEqual([
    {
      conversation: 'c',
      message: 3,
      part: 1,
      line: 1,
      kind: 'assistant',
      heading: 'assistant',
      text: 'I change\nthe file.',
      time: 5,
    },
    {
      conversation: 'c',
      message: 3,
      part: 2,
      line: 3,
      kind: 'call',
      heading: 'edit src/app.ts',
      path: 'src/app.ts',
      text: 'path: src/app.ts\nedits.old:\none\ntwo\nedits.new: three',
      time: 5,
    },
  ]);
});

test('a result stands under its call, and without it under the name of its tool', () => {
  const message: Message = {
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'edit', output: 'done' }],
  };
  const entry = { kind: 'result', text: 'done', line: 1, time: 0 };
  expect(entriesOf({ conversation: 'c', number: 4, message, calls: [call] })).toMatchObject([
    { ...entry, heading: 'edit src/app.ts', path: 'src/app.ts' },
  ]);
  expect(entriesOf({ conversation: 'c', number: 4, message })).toMatchObject([{ ...entry, heading: 'edit' }]);
});

test('a summary is told from what the user said', () => {
  const message: Message = { role: 'user', content: 'What happened so far', summary: true };
  expect(entriesOf({ conversation: 'c', number: 1, message })).toMatchObject([{ kind: 'summary' }]);
});
