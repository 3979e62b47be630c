import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
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
    const runtime = await import('web-tree-sitter');
    await runtime.Parser.init();
    return runtime;
  });
}

/** Loads a grammar, given the module it is in, the first time it is asked for; rejects if that fails. */
export function loadGrammar(wasm: string): Promise<Language> {
  return once(wasm, async () => {
    const runtime = await loadRuntime();
    // Read here because Jest can't run the dynamic import that Language.load reads files with.
    return runtime.Language.load(await readFile(createRequire(import.meta.url).resolve(wasm)));
  });
}

/** The runtime reads at most so many characters at once. */
const readLength = 5000;

/** Why nothing can be parsed any more: the runtime's memory is one for all parsers, and it crashed. */
let crash: unknown;

/**
 * Parses in slices and hands the tree over for as long as `use` takes.
 * @throws Error when it takes too long, and after a crash of the runtime
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
  // One step of a parse may read to the end of the text. It can't be halted, but ends where the text seems to.
  const read = (index: number) => (slices.exhausted ? '' : text.slice(index, index + readLength));
  try {
    parser.setLanguage(language);
    const progressCallback = () => slices.over;
    // A parse that was halted goes on where it stopped when it's called again.
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
  // Freeing a tree can't be divided: it takes some 7 ms for each MB of text, so it has a turn of its own.
  if (tree !== null) await turn();
  tree?.delete();
  parser.delete();
}
