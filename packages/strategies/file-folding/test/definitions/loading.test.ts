import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { extractDefinitions } from '../../src/definitions/extract.js';

const failures: Error[] = [];

jest.mock('web-tree-sitter', () => {
  const actual = jest.requireActual('web-tree-sitter');
  return {
    ...actual,
    Language: {
      load: async (bytes: Uint8Array) => {
        const failure = failures.pop();
        if (failure !== undefined) throw failure;
        return actual.Language.load(bytes);
      },
    },
  };
});

test('a grammar that could not be loaded is tried again the next time', async () => {
  failures.push(new Error('no such file'));
  const extract = () => extractDefinitions('class A: pass', { path: 'a.py' });
  expect(await extract()).toBeUndefined();
  expect(await extract()).toEqual([{ kind: 'class', name: 'A', startLine: 1, endLine: 1 }]);
});

test('several extractions at once share the loading', async () => {
  const all = await Promise.all(
    ['a.go', 'a.go', 'a.rs', 'a.java', 'a.rs', 'a.cs'].map((path) => extractDefinitions('', { path })),
  );
  expect(all).toEqual([[], [], [], [], [], []]);
});

test('the grammar of C that comes with the package is that of its dependency, whose installation would run a script', () => {
  const own = (name: string) => readFileSync(join(__dirname, '../../grammars', name));
  const theirs = dirname(require.resolve('tree-sitter-c/package.json'));
  expect(own('tree-sitter-c.wasm').equals(readFileSync(join(theirs, 'tree-sitter-c.wasm')))).toBe(true);
  expect(own('tree-sitter-c.LICENSE').equals(readFileSync(join(theirs, 'LICENSE')))).toBe(true);
});
