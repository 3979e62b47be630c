import type { TokenCounter } from './count.js';
import { countInSteps, guardedCount, type Tokenizer } from './count-guard.js';
import type { EncodingTables } from './encodings/encoding-tables.js';

/**
 * The tokenizer remembers up to 100,000 words, and with each the whole text that it was found in: a slice of a string
 * holds the string. After so many characters it forgets them all.
 */
const mostHeld = 4_000_000;
/** The characters that each encoding has counted since then, by whichever counter. */
const held = { o200k_base: 0, cl100k_base: 0 };

export type Encoding = 'o200k_base' | 'cl100k_base';

/** What counts once it is loaded. */
export type LoadedTokenizer = Required<Pick<TokenCounter, 'count' | 'countInSteps'>>;

/** Counts with an encoding of gpt-tokenizer, in a file of its own that is loaded together with its tables. */
export async function loadTokenizer(encoding: Encoding): Promise<LoadedTokenizer> {
  const { countTokens, clearMergeCache, pattern } = await loadEncoding(encoding);
  const plain = { disallowedSpecial: new Set<string>() };
  const tokenizer: Tokenizer = {
    count(text) {
      held[encoding] += text.length;
      if (held[encoding] > mostHeld) {
        clearMergeCache();
        held[encoding] = text.length;
      }
      return countTokens(text, plain);
    },
    pattern,
  };
  return {
    count: (text) => guardedCount(text, tokenizer),
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
