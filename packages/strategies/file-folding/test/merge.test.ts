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

test('neighbouring functions share a line, by name only', () => {
  expect(mergeDefinitions([fn('a', 1, 9), fn('b', 10, 30), fn('c', 40, 50)], lines)).toEqual([
    'function a, b, c',
  ]);
});

test('functions are joined if they span 100 lines, but not if they span 101', () => {
  expect(mergeDefinitions([fn('a', 1), fn('b', 90, 101)], lines)).toEqual(['function a, b']);
  expect(mergeDefinitions([fn('a', 1), fn('b', 90, 102)], lines)).toEqual(['function a', 'function b']);
});

test('a longer function has its own line', () => {
  expect(mergeDefinitions([fn('a', 1, 5), fn('long', 6, 200), fn('b', 201, 210)], lines)).toEqual([
    'function a',
    'function long',
    'function b',
  ]);
});

test('classes and interfaces have their own lines, in the order of the source', () => {
  const definitions = [
    fn('a', 1),
    type('class', 'B', 2),
    fn('c', 3),
    fn('d', 4),
    type('interface', 'E', 9),
    fn('f', 11),
  ];
  expect(mergeDefinitions(definitions, lines)).toEqual([
    'function a',
    'class B',
    'function c, d',
    'interface E',
    'function f',
  ]);
});

test('headings have their own lines too', () => {
  expect(
    mergeDefinitions([{ kind: 'heading', name: 'How it works', startLine: 1, endLine: 9 }], lines),
  ).toEqual(['# How it works']);
});

test('without merging each function has its own line', () => {
  expect(mergeDefinitions([fn('a', 1), fn('b', 2)], { ...lines, mergeFunctions: false })).toEqual([
    'function a',
    'function b',
  ]);
});

test('no definitions give no lines', () => {
  expect(mergeDefinitions([], lines)).toEqual([]);
});
