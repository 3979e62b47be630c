import { CtxError } from '@ctx/core';
import type { Tree } from 'web-tree-sitter';
import type { Definition } from './definition.js';
import { type Grammar, grammars, languageOf } from './languages.js';
import { markdownHeadings } from './markdown.js';
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
interface ExtractOptions {
  /** The path or name of the file. Its extension determines the language. */
  readonly path: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Finds the definitions in a text, in order: classes, interfaces, functions, and headings in Markdown. `undefined` if the language isn't
 * supported. Leaves out functions inside functions, except inside one unnamed function at the top level of the
 * file, such as a module wrapper or the callback of a call.
 *
 * In code with errors, finds what can be recognised. Works in short slices, so that the event loop is not blocked.
 * @throws the reason of `signal`; CtxError `package-missing` if the grammars are not installed
 */
export async function extractDefinitions(
  text: string,
  { path, signal }: ExtractOptions,
): Promise<readonly Definition[] | undefined> {
  signal?.throwIfAborted();
  const name = languageOf(path, text);
  if (name === 'markdown') return markdownHeadings(text, new Slices(signal));
  if (name === undefined) return undefined;
  const grammar: Grammar = grammars[name];
  try {
    if (isNestedTooDeep(text)) throw new Error('The brackets are nested too deeply to parse');
    const language = await loadGrammar(grammar.wasm);
    const slices = new Slices(signal, leastMs + text.length * msPerCharacter);
    const rules = rulesOf(grammar, language);
    return await withTree(language, text, slices, (tree) => collect(tree, rules, text, slices));
  } catch (error) {
    signal?.throwIfAborted();
    if (CtxError.isInstance(error) && error.code === 'package-missing') throw error;
    // A grammar that can't be loaded, fails or takes too long is none.
    return undefined;
  }
}

async function collect(tree: Tree, rules: Rules, text: string, slices: Slices): Promise<Definition[]> {
  const cursor = tree.walk();
  try {
    const walk = new Walk(cursor, rules, text);
    while (walk.advance(nodesPerLook)) if (slices.over) await slices.next();
    // In the order of the text, each before the definitions inside it.
    return walk.found.sort((a, b) => a.startLine - b.startLine || b.endLine - a.endLine);
  } finally {
    cursor.delete();
  }
}

/** The most brackets that may be open at once. Code by people has a few dozen; the stack of a parser holds a few thousand. */
const mostOpen = 500;

/**
 * Whether more brackets are open at once than in any real code. The time of a parser grows with the square of their number, or its stack
 * overflows, after which no other text can be parsed. Also counts brackets in strings and comments.
 */
function isNestedTooDeep(text: string): boolean {
  let open = 0;
  let angles = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if ('([{'.includes(character)) open += 1;
    else if (')]}'.includes(character)) {
      open = Math.max(0, open - 1);
      angles = 0;
    } else if (character === '<') angles += 1;
    else if (character === '>') angles = Math.max(0, angles - 1);
    // Ends what could be a comparison.
    else if (character === ';') angles = 0;
    if (open > mostOpen || angles > mostOpen) return true;
  }
  return false;
}
