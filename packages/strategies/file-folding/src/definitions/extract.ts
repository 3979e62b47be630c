import { CtxError } from '@ctx/core';
import type { Tree } from 'web-tree-sitter';
import { type Definition, inTextOrder } from './definition.js';
import { fallbackDefinitions } from './fallback.js';
import { grammars, languageOf } from './languages.js';
import { markdownHeadings } from './markdown.js';
import { isNestedTooDeep } from './nesting.js';
import { loadGrammar, withTree } from './parse.js';
import { type Rules, rulesOf } from './rules.js';
import { Slices } from './slices.js';
import { Walk } from './walk.js';

/** The number of nodes between two looks at the clock. Looking at each node would take too long. */
const nodesPerLook = 512;
/** The time limit to parse a text: this, plus a time for each character. It is about eight times what code takes. */
const leastMs = 2000;
const msPerCharacter = 0.002;

/** The options of {@link extractDefinitions}. */
export interface ExtractOptions {
  /** The path or name of the file. Its extension determines the language. */
  readonly path: string;
  readonly signal?: AbortSignal | undefined;
  /** Searches texts without a grammar line by line for keywords that begin definitions in many languages. @default false */
  readonly fallback?: boolean | undefined;
  /** Called if a grammar couldn't be loaded, failed or took too long. The text is then treated as one without a grammar. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/**
 * Finds the definitions in a text, in order: classes, interfaces, functions, and headings in Markdown. `undefined` if the language isn't
 * supported and `fallback` is not set. Leaves out functions inside functions, except inside one unnamed function at the top level of the
 * file, such as a module wrapper or the callback of a call.
 *
 * In code with errors, finds what can be recognised. Works in short slices, so that the event loop is not blocked.
 * @throws the reason of `signal`; CtxError `package-missing` if the grammars are not installed and `fallback` is not set
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
      if (isNestedTooDeep(text)) throw new Error('The brackets are nested too deeply to parse');
      const language = await loadGrammar(grammar.wasm);
      const slices = new Slices(signal, leastMs + text.length * msPerCharacter);
      const rules = rulesOf(grammar, language);
      return await withTree(language, text, slices, (tree) => collect(tree, rules, text, slices));
    } catch (error) {
      signal?.throwIfAborted();
      if (fallback !== true && CtxError.isInstance(error) && error.code === 'package-missing') throw error;
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
