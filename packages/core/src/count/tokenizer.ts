import { finish } from '../base/slices.js';
import type { TokenCounter } from './count.js';
import { countInSteps, type Tokenizer } from './count-guard.js';
import type { EncodingTables } from './encodings/encoding-tables.js';

/**
 * Words are remembered, here and by the tokenizer, and with each the whole text that it was found in: a slice of a string
 * holds the string. After so many characters all are forgotten.
 */
const mostHeld = 4_000_000;
/** Words that are remembered here at most, in some MB. The tokenizer remembers up to 100,000. */
const mostWords = 50_000;

/** What whichever counter has counted with an encoding since all was forgotten. */
class Held {
  characters = 0;
  readonly words = new Map<string, number>();
}
const heldBy = { o200k_base: new Held(), cl100k_base: new Held() };

export type Encoding = 'o200k_base' | 'cl100k_base';

export type LoadedTokenizer = Required<Pick<TokenCounter, 'count' | 'countInSteps'>>;

/** Counts with an encoding of gpt-tokenizer, in a file of its own that is loaded together with its tables. */
export async function loadTokenizer(encoding: Encoding): Promise<LoadedTokenizer> {
  const { countTokens, clearMergeCache, pattern } = await loadEncoding(encoding);
  const plain = { disallowedSpecial: new Set<string>() };
  const held = heldBy[encoding];
  const { words } = held;
  const tokensOf = (word: string) => {
    const known = words.get(word);
    if (known !== undefined) return known;
    const tokens = countTokens(word, plain);
    if (words.size === mostWords) words.clear();
    words.set(word, tokens);
    return tokens;
  };
  // One of our own, as the tokenizer begins where the last search with its pattern ended.
  const next = new RegExp(pattern);
  const tokenizer: Tokenizer = {
    // The tokenizer takes half as long again for a text, because it makes several objects of each word.
    count(text) {
      held.characters += text.length;
      if (held.characters > mostHeld) {
        clearMergeCache();
        words.clear();
        held.characters = text.length;
      }
      let tokens = 0;
      next.lastIndex = 0;
      // Every character belongs to a word. A list of all words would take a tenth longer.
      for (let from = 0; next.test(text); from = next.lastIndex)
        tokens += tokensOf(text.slice(from, next.lastIndex));
      return tokens;
    },
    pattern,
  };
  return {
    count: (text) => finish(countInSteps(text, tokenizer)),
    countInSteps: (text) => countInSteps(text, tokenizer),
  };
}

/** A package that is built holds the code and tables of gpt-tokenizer in these files. */
async function loadEncoding(encoding: Encoding): Promise<EncodingTables> {
  switch (encoding) {
    case 'o200k_base':
      return (await import('./encodings/o200k-base.js')).o200kBase;
    case 'cl100k_base':
      return (await import('./encodings/cl100k-base.js')).cl100kBase;
    default:
      return encoding satisfies never;
  }
}
