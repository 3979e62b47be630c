import type { Part } from '@ctx/core';
import { sourcesOf } from '@ctx/core/codec';

const text = (value: string): Part => ({ type: 'text', text: value });
const reasoning = (value: string): Part => ({ type: 'reasoning', text: value });
const call = (toolCallId: string, input = {}): Part => ({
  type: 'tool-call',
  toolCallId,
  toolName: 'read',
  input,
});
const image: Part = { type: 'image', image: 'https://example.org/a.png' };

const before = [reasoning('1'), reasoning('1'), text('A'), image, call('a'), text('A'), call('b')];

test.each<[string, readonly Part[], readonly (number | undefined)[]]>([
  ['parts as they were', before, [0, 1, 2, 3, 4, 5, 6]],
  ['reasoning that has left', before.slice(2), [2, 3, 4, 5, 6]],
  ['the first of two equal parts that has left', before.slice(1), [1, 2, 3, 4, 5, 6]],
  ['a call that has left', before.toSpliced(4, 1), [0, 1, 2, 3, 5, 6]],
  ['a text that was shortened too', [text('-'), image, call('a'), text('A'), call('b')], [2, 3, 4, 5, 6]],
  ['a call that was shortened too', [text('A'), image, call('a', { cut: 1 }), call('b')], [2, 3, 4, 6]],
  [
    'an image that became text',
    [text('A'), text('[image]'), call('a'), text('A'), call('b')],
    [2, 3, 4, 5, 6],
  ],
  ['a part that is new', [...before, call('c')], [0, 1, 2, 3, 4, 5, 6, undefined]],
])('%s', (_title, parts, sources) => {
  expect(sourcesOf(parts, before)).toEqual(sources);
});
