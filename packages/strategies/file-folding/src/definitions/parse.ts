import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { packageMissing } from '@ctx/core';
import type { Language, Parser, Tree } from 'web-tree-sitter';
import { type Slices, turn } from './slices.js';

type Runtime = typeof import('web-tree-sitter');

const loading = new Map<string, Promise<unknown>>();

function once<T>(key: string, load: () => Promise<T>): Promise<T> {
  const known = loading.get(key) as Promise<T> | undefined;
  if (known !== undefined) return known;
  const started = load();
  loading.set(key, started);
  started.catch(() => loading.delete(key));
  return started;
}

function loadRuntime() {
  return once('runtime', async (): Promise<Runtime> => {
    const runtime = await import('web-tree-sitter').catch(missing);
    await runtime.Parser.init();
    return runtime;
  });
}

/** Loads a grammar from its module, when it is first needed. Rejects if that fails. */
export function loadGrammar(wasm: string): Promise<Language> {
  return once(wasm, async () => {
    const runtime = await loadRuntime();
    // Read here because Jest can't run the dynamic import with which Language.load reads files.
    return runtime.Language.load(await readFile(fileOf(wasm)));
  });
}

/** They have 27 MB, and most conversations are compressed without folding. */
const missing = packageMissing('folding source files', ['web-tree-sitter', '@vscode/tree-sitter-wasm']);

function fileOf(wasm: string): string {
  try {
    return createRequire(import.meta.url).resolve(wasm);
  } catch (error) {
    return missing(error);
  }
}

/** The most characters that the runtime reads at once. */
const readLength = 5000;

/** The crash of the runtime, if there was one. All parsers share its memory, so nothing can be parsed after a crash. */
let crash: unknown;

/**
 * Parses a text in slices and passes the tree to `use`. Frees the tree when `use` has finished.
 * @throws Error if it takes too long, and after a crash of the runtime
 */
export async function withTree<T>(
  language: Language,
  text: string,
  slices: Slices,
  use: (tree: Tree) => Promise<T>,
): Promise<T> {
  const { Parser } = await loadRuntime();
  await slices.next();
  if (crash !== undefined) throw crash;
  const parser = new Parser();
  let tree: Tree | null = null;
  // One step of a parse may read to the end of the text. It can't be interrupted, but it ends if the text seems to end.
  const read = (index: number) => (slices.exhausted ? '' : text.slice(index, index + readLength));
  try {
    parser.setLanguage(language);
    const progressCallback = () => slices.over;
    // A parse that was interrupted continues from the same place when it is called again.
    for (;;) {
      tree = parser.parse(read, null, { progressCallback });
      if (tree !== null) break;
      await slices.next();
    }
    slices.throwIfExhausted();
    return await use(tree);
  } catch (error) {
    if ((error as Error).name === 'RuntimeError') crash = error;
    throw error;
  } finally {
    if (crash === undefined) await free(parser, tree);
  }
}

async function free(parser: Parser, tree: Tree | null): Promise<void> {
  // Freeing a tree can't be divided and takes about 7 ms for each MB of text, so it gets a separate turn.
  if (tree !== null) await turn();
  tree?.delete();
  parser.delete();
}
