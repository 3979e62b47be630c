import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '@ctx/core';
import * as withoutFiles from '../src/without-files.js';

const { browser } = JSON.parse(readFileSync(join(__dirname, '../package.json'), 'utf8'));

test('a browser gets another module for each that reads files, and it exports as much', async () => {
  const replaced = Object.keys(browser).map((file) => file.replace(/^\.\/dist\/(.+)\.js$/, '../src/$1.js'));
  expect(replaced).toHaveLength(2);
  for (const module of replaced)
    expect(Object.keys(withoutFiles)).toEqual(expect.arrayContaining(Object.keys(await import(module))));
});

test('whoever asks for a file there is told that there are none', async () => {
  const refused = expect.objectContaining({ code: 'config-invalid', place: 'cwd', value: '/project' });
  await expect(withoutFiles.foldFiles(['a.ts'], { cwd: '/project' })).rejects.toEqual(refused);
  await expect(withoutFiles.loadGrammar('#tree-sitter-c.wasm')).rejects.toBeInstanceOf(ConfigError);
});

test('code is not folded without its grammar, and headings in Markdown are', async () => {
  jest.resetModules();
  jest.doMock('../src/definitions/parse.js', () => withoutFiles);
  const { createFolder } = await import('../src/port.js');
  const folder = createFolder({ mergeFunctions: true, maxLineSpan: 100, ignore: false });
  const fold = (path: string, text: string) =>
    folder.fold({ text, paths: [path], signal: new AbortController().signal });
  await expect(fold('a.py', 'class A: pass')).rejects.toMatchObject({ code: 'nothing-to-fold' });
  await expect(fold('a.md', '# One\n\nText.\n\n## Two\n')).resolves.toContain('# One');
});
