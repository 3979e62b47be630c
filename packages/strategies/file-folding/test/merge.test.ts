import type { Definition } from '../src/definitions/definition.js';
import { mergeDefinitions } from '../src/render.js';

const lines = { mergeFunctions: true, maxLineSpan: 100 };
const fn = (name: string, startLine: number, endLine = startLine): Definition => ({
  kind: 'function',
  name,
  startLine,
  endLine,
});
const type = (kind: 'class' | 'interface', name: string, startLine: number): Definition => ({
  kind,
  name,
  startLine,
  endLine: startLine + 5,
});

test.each<[string, Definition[], string[], object?]>([
  [
    'neighbours share a line, by name only',
    [fn('a', 1, 9), fn('b', 10, 30), fn('c', 40, 50)],
    ['function a, b, c'],
  ],
  ['functions are joined if they span 100 lines', [fn('a', 1), fn('b', 90, 101)], ['function a, b']],
  ['but not if they span 101', [fn('a', 1), fn('b', 90, 102)], ['function a', 'function b']],
  [
    'a longer function has its own line',
    [fn('a', 1, 5), fn('long', 6, 200), fn('b', 201, 210)],
    ['function a', 'function long', 'function b'],
  ],
  [
    'classes and interfaces have their own lines, in the order of the source',
    [fn('a', 1), type('class', 'B', 2), fn('c', 3), fn('d', 4), type('interface', 'E', 9), fn('f', 11)],
    ['function a', 'class B', 'function c, d', 'interface E', 'function f'],
  ],
  [
    'headings have their own lines too',
    [{ kind: 'heading', name: 'How it works', startLine: 1, endLine: 9 }],
    ['# How it works'],
  ],
  [
    'without merging each function has its own line',
    [fn('a', 1), fn('b', 2)],
    ['function a', 'function b'],
    { mergeFunctions: false },
  ],
  ['no definitions give no lines', [], []],
])('%s', (_title, definitions, expected, options = {}) => {
  expect(mergeDefinitions(definitions, { ...lines, ...options })).toEqual(expected);
});
