import { AsyncLocalStorage } from 'node:async_hooks';
import vm from 'node:vm';

interface Options {
  readonly source: string;
  readonly filename?: string;
  readonly context?: vm.Context;
}

/** Loads a module as jest does: what its one parameter, `exports`, holds afterwards. */
function loaded({ source, filename = '/made/up.js', context = vm.createContext() }: Options) {
  const exported: Record<string, unknown> = {};
  const options = { filename, parsingContext: context };
  vm.compileFunction(source, ['exports'], options)(exported);
  return exported;
}

test('what is compiled once runs anew in each context, with the globals of that context', () => {
  const source =
    'let calls = 0; exports.Array = Array; exports.other = other; exports.count = () => ++calls;';
  const [one, two] = [1, 2].map((other) => loaded({ source, context: vm.createContext({ other }) }));
  const count = (module = {}) => (module as { count: () => number }).count();
  expect([count(one), count(one), count(two)]).toEqual([1, 2, 1]);
  expect([one?.other, two?.other]).toEqual([1, 2]);
  expect(one?.Array).not.toBe(two?.Array);
});

test('a file that has changed is compiled again', () => {
  expect(loaded({ source: 'exports.value = 1;' }).value).toBe(1);
  expect(loaded({ source: 'exports.value = 2;' }).value).toBe(2);
});

test('an error names the line and the column of the file', () => {
  const { thrown } = loaded({
    source: '"use strict"; exports.thrown = new Error();',
    filename: '/made/error.js',
  });
  expect((thrown as Error).stack).toContain('/made/error.js:1:32');
});

test.each([
  ['a first line for the shell', '#!/usr/bin/env node\nexports.value = 1;'],
  ['a comment at the end', 'exports.value = 1; // done'],
  ['the import of a module', 'exports.value = 1; exports.later = () => import("node:fs");'],
])('%s is taken', (_, source) => {
  expect(loaded({ source }).value).toBe(1);
});

test('what is not a program is refused', () => {
  expect(() => loaded({ source: 'exports.value = ;' })).toThrow("Unexpected token ';'");
});

test('a test may use an AsyncLocalStorage, which jest here does without', async () => {
  const storage = new AsyncLocalStorage<number>();
  const later = async () => {
    await undefined;
    return storage.getStore();
  };
  const stored = await Promise.all([storage.run(1, later), storage.run(2, later), later()]);
  expect(stored).toEqual([1, 2, undefined]);
});
