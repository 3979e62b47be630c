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

const rows: readonly [title: string, definitions: readonly Definition[], expected: readonly string[]][] = [
  [
    'neighbouring functions share one',
    [fn('a', 1, 9), fn('b', 10, 30), fn('c', 40, 50)],
    ['function a, b, c'],
  ],
  ['functions are joined if they span 100', [fn('a', 1), fn('b', 90, 101)], ['function a, b']],
  ['but not if they span 101', [fn('a', 1), fn('b', 90, 102)], ['function a', 'function b']],
  [
    'a longer function has its own',
    [fn('a', 1, 5), fn('long', 6, 200), fn('b', 201, 210)],
    ['function a', 'function long', 'function b'],
  ],
  [
    'classes and interfaces have their own, in the order of the source',
    [fn('a', 1), type('class', 'B', 2), fn('c', 3), fn('d', 4), type('interface', 'E', 9), fn('f', 11)],
    ['function a', 'class B', 'function c, d', 'interface E', 'function f'],
  ],
  [
    'headings have their own too',
    [{ kind: 'heading', name: 'How it works', startLine: 1, endLine: 9 }],
    ['# How it works'],
  ],
  ['no definitions have none', [], []],
];

test.each(rows)('of lines, %s', (_title, definitions, expected) => {
  expect(mergeDefinitions(definitions, lines)).toEqual(expected);
});

test('without merging each function has its own line', () => {
  expect(mergeDefinitions([fn('a', 1), fn('b', 2)], { ...lines, mergeFunctions: false })).toEqual([
    'function a',
    'function b',
  ]);
});
