import type { Message } from '@ctx/core';
import { assistant, call, result, user } from '@ctx/testing';
import { outlineHeading, sectionText } from '../src/excerpt-text.js';
import { outlineOf } from '../src/outline.js';
import { read as readAll } from './reading.js';

const outline = (messages: readonly Message[], options: { excerptTokens?: number; root?: string } = {}) =>
  outlineOf(readAll(messages).sources, {
    excerptTokens: 10_000,
    root: '',
    tokensOf: (text) => Math.ceil(text.length / 4),
    ...options,
  })?.text;

const read = (id: string, path: string, text: string) => [call(id, 'read', { path }), result(id, text)];

const theme = `import { join } from 'node:path';
export interface Theme { name: string }
function detectColorMode(): string { return 'truecolor'; }
export const initTheme = (name: string) => detectColorMode() + name;
`;

describe('the outline of files', () => {
  test.each([
    ['TypeScript', theme, 'Theme, detectColorMode, initTheme'],
    ['numbered lines', '  1→class Point {\n  2→  x = 1;\n  3→}\n  4→enum Side {', 'Point, Side'],
    [
      'Go',
      'type Set struct {\n\tn int\n}\nfunc (s *Set) Add(n int) {\n}\nfunc New() *Set {',
      'Set, Add, New',
    ],
    ['Python', 'class Reader:\n    def read(self):\n        pass\nasync def main():', 'Reader, read, main'],
    [
      'Elixir',
      'defmodule Spotter.Otel do\n  @moduledoc false\n  defp setup_all do',
      'Spotter.Otel, setup_all',
    ],
    ['Rust', 'pub(crate) struct Gate;\nimpl Gate {\n    pub fn open(&self) {}\n}', 'Gate, open'],
  ])('names what a file defines: %s', (_, text, names) => {
    expect(outline([user('Go.'), ...read('1', 'src/a.x', text)])).toBe(`src/a.x: ${names}`);
  });

  test('writes paths from the folder on that most are in', () => {
    const messages = read('1', '/home/me/app/src/theme.ts', theme);
    expect(outline(messages, { root: '/home/me/app' })).toMatch(/^src\/theme\.ts: Theme/);
  });

  test('has no line for documents and for what is no file', () => {
    const messages = [
      ...read('1', 'docs/theme.md', theme),
      call('3', 'bash', { command: 'npm test' }),
      result('3', theme),
      assistant(theme),
    ];
    expect(outline(messages)).toBeUndefined();
  });

  test('takes a file that was written from the call, and what was written last', () => {
    const messages = [
      ...read('1', 'src/a.ts', 'class Old {}\nclass Older {}'),
      call('2', 'write', { path: 'src/a.ts', content: 'class New {}\nclass Newer {}' }),
      result('2', 'class NotOfTheFile {}\nclass Neither {}'),
    ];
    expect(outline(messages)).toBe('src/a.ts: New, Newer');
  });

  test('has no name that an edit took away, nor that of an edit that was replaced', () => {
    const edit = (id: string, old: string, text: string) => [
      call(id, 'edit', { path: 'src/a.ts', old_string: old, new_string: text }),
      result(id, 'ok'),
    ];
    const messages = [
      ...read('1', 'src/a.ts', 'class Old {\n  width = 1;\n}\nclass Stays {}'),
      ...edit('2', 'class Old {\n  width = 1;', 'class Between {\n  width = 2;'),
      ...edit('3', 'class Between {\n  width = 2;', 'class New {\n  width = 3;'),
    ];
    expect(outline(messages)).toBe('src/a.ts: Stays, New');
  });

  test('keeps the newest files where there is no room for all', () => {
    const messages = ['a', 'b', 'c'].flatMap((name) => read(name, `src/${name}.ts`, theme));
    expect(outline(messages, { excerptTokens: 750 })).toBe(`src/c.ts: Theme, detectColorMode, initTheme`);
    expect(outline(messages, { excerptTokens: 100 })).toBeUndefined();
  });

  test('says how many names it leaves out', () => {
    const many = Array.from({ length: 33 }, (_, at) => `class Part${at} {}`).join('\n');
    expect(outline(read('1', 'src/parts.ts', many))).toMatch(/Part29, … 3 more$/);
  });

  test('goes on from that of an earlier excerpt', () => {
    const before = sectionText({
      heading: outlineHeading,
      text: 'src/old.ts: Old, Older, … 3 more\nsrc/theme.ts: Gone, GoneToo',
    });
    const messages = [
      { ...user(`[Excerpt of what was said before, word for word]\n${before}`), summary: true },
      ...read('1', 'src/theme.ts', theme),
    ];
    const lines = outline(messages)?.split('\n');
    expect(lines?.[0]).toBe('src/old.ts: Old, Older');
    expect(lines?.[1]).toMatch(/^src\/theme\.ts: Gone, GoneToo, Theme/);
  });
});
