import type { Tree } from 'web-tree-sitter';
import { type Definition, inTextOrder } from './definition.js';
import { fallbackDefinitions } from './fallback.js';
import { grammars, languageOf } from './languages.js';
import { markdownHeadings } from './markdown.js';
import { isNestedTooDeep } from './nesting.js';
import { loadGrammar, withTree } from './parse.js';
import { Slices } from './slices.js';
import { type Rules, rulesOf, Walk } from './walk.js';

/** Reading the tree must be stopped now and then to look at the clock, but not at each node. */
const nodesPerLook = 512;
/** What a text may take to parse, for a start and for each character: some eight times what code takes. */
const leastMs = 2000;
const msPerCharacter = 0.002;

/** What {@link extractDefinitions} needs to know about a text. */
export interface ExtractOptions {
  /** The path or name of the file: its extension tells the language. */
  readonly path: string;
  readonly signal?: AbortSignal | undefined;
  /** Search texts without a grammar line by line for what many languages begin definitions with. */
  readonly fallback?: boolean | undefined;
  /** Told when a grammar couldn't be loaded, failed or took too long; the text then counts as one without a grammar. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/**
 * The definitions in a text, in the order of the text: classes, interfaces, functions, and headings in
 * Markdown. `undefined` for a language that isn't supported, unless `fallback` is set. Functions within
 * functions are left out, except in one function without a name at the top of the file: a module wrapper or
 * the callback of a call.
 *
 * Code with errors yields what could be recognized. The text is worked through in short slices between which
 * the event loop goes on. Rejects only once `signal` is aborted, with its reason.
 */
export async function extractDefinitions(
  text: string,
  { path, signal, fallback, onError }: ExtractOptions,
): Promise<readonly Definition[] | undefined> {
  signal?.throwIfAborted();
  const name = languageOf(path, text);
  if (name === 'markdown') return markdownHeadings(text, new Slices(signal));
  if (name !== undefined) {
    const grammar = grammars[name];
    try {
      if (isNestedTooDeep(text)) throw new Error('More brackets are open than can be parsed');
      const language = await loadGrammar(grammar.wasm);
      const slices = new Slices(signal, leastMs + text.length * msPerCharacter);
      const rules = rulesOf(grammar, language);
      return await withTree(language, text, slices, (tree) => collect(tree, rules, text, slices));
    } catch (error) {
      signal?.throwIfAborted();
      onError?.(error);
    }
  }
  return fallback ? fallbackDefinitions(text, new Slices(signal)) : undefined;
}

async function collect(tree: Tree, rules: Rules, text: string, slices: Slices): Promise<Definition[]> {
  const cursor = tree.walk();
  try {
    const walk = new Walk(cursor, rules, text);
    while (walk.advance(nodesPerLook)) if (slices.over) await slices.next();
    return inTextOrder(walk.found);
  } finally {
    cursor.delete();
  }
}
