import { ContextManager, createContainer } from '@ctx/core';
import { assistant, call, result, transcript, user } from '@ctx/testing';
import { extractDefinitions } from '../src/definitions/extract.js';
import { fileFolding } from '../src/file-folding.js';
import { createFolder, register } from '../src/index.js';

jest.mock('web-tree-sitter', () => {
  throw Object.assign(new Error("Cannot find package 'web-tree-sitter'"), { code: 'ERR_MODULE_NOT_FOUND' });
});

const source = Array.from({ length: 90 }, (_, at) => `function f${at}() {\n  return ${at};\n}`).join('\n');
const missing = {
  code: 'package-missing',
  problem: 'A package is not installed that is needed for folding source files',
  remedy: expect.stringContaining('npm install web-tree-sitter @vscode/tree-sitter-wasm'),
};

test('what needs a grammar says what to install', async () => {
  await expect(extractDefinitions(source, { path: 'a.ts' })).rejects.toMatchObject(missing);
  const request = { text: source, paths: ['a.ts'], signal: new AbortController().signal };
  await expect(createFolder().fold(request)).rejects.toMatchObject(missing);
});

test('what needs none works without them', async () => {
  expect(await extractDefinitions('# One\n\ntext\n\n## Two\n', { path: 'a.md' })).toHaveLength(2);
  expect(await extractDefinitions('plain', { path: 'a.txt' })).toBeUndefined();
});

test('in a pipeline nothing is lost, and the stage says why it folds nothing', async () => {
  const container = createContainer();
  register(container);
  const manager = new ContextManager({ container, config: { contextWindow: 100_000 } });
  const messages = transcript(
    user('Look.'),
    ...['a', 'b', 'c', 'd'].flatMap((id) => [call(id, 'read', { path: `${id}.ts` }), result(id, source)]),
    assistant('Done.'),
    user('And now?'),
  );
  for (const message of messages) manager.append(message);
  const failures: unknown[] = [];
  manager.on('compression-fail', ({ error }) => failures.push(error));
  const { status, reason } = await manager.compress({ strategy: fileFolding(), targetTokens: 2_000 });
  expect(status).toBe('insufficient');
  expect(reason).toContain('npm install web-tree-sitter @vscode/tree-sitter-wasm');
  expect(manager.view()).toEqual(messages);
  // Each file would fail in the same way.
  expect(failures).toHaveLength(1);
  await manager.compress({ strategy: fileFolding(), targetTokens: 2_000 });
  expect(manager.warnings.filter((one) => one.includes('npm install web-tree-sitter'))).toHaveLength(1);
});
