import type { TokenCounter } from './count.js';
import { estimateTokens } from './estimate.js';
import type { Encoding, LoadedTokenizer } from './tokenizer.js';

/**
 * Counts with gpt-tokenizer's BPE. Exact unless the encoding takes more than 512 characters as one piece (a word, a run
 * of punctuation or white space). Such pieces are cut, with an error below 0.3 % (1 % for white space); if a text has
 * more than 262,144 characters of them, only samples are counted. Special tokens count as plain text. Loading takes
 * about 300 ms and 55 MB; until then, figures are estimates.
 * @param encoding default `o200k_base`
 */
export function bpeCounter(encoding: Encoding = 'o200k_base'): TokenCounter {
  let tokenizer: LoadedTokenizer | undefined;
  let loading: Promise<void> | undefined;
  return {
    get loaded() {
      return tokenizer !== undefined;
    },
    load() {
      loading ??= load(encoding).then(
        (loaded) => {
          tokenizer = loaded;
        },
        (error: unknown) => {
          loading = undefined;
          throw error;
        },
      );
      return loading;
    },
    count(text) {
      return tokenizer === undefined ? estimateTokens(text) : tokenizer.count(text);
    },
    *countInSteps(text) {
      return tokenizer === undefined ? estimateTokens(text) : yield* tokenizer.countInSteps(text);
    },
  };
}

async function load(encoding: Encoding): Promise<LoadedTokenizer> {
  const { loadTokenizer } = await import('./tokenizer.js');
  return loadTokenizer(encoding);
}
