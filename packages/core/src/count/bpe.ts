import type { TokenCounter } from './count.js';
import { estimateTokens } from './estimate.js';
import { countInSteps, guardedCount, type Tokenizer } from './guarded-count.js';

export type Encoding = 'o200k_base' | 'cl100k_base';

/**
 * Counts with gpt-tokenizer's BPE. Exact unless the encoding takes more than 512 characters as one piece (a word, a run
 * of punctuation or white space). Such pieces are cut, with an error below 0.3 % (1 % for white space); if a text has
 * more than 262,144 characters of them, only samples are counted. Special tokens count as plain text. Loading takes
 * about 300 ms and 55 MB; until then, figures are estimates.
 * @param encoding default `o200k_base`
 */
export function bpeCounter(encoding: Encoding = 'o200k_base'): TokenCounter {
  let tokenizer: Tokenizer | undefined;
  let loading: Promise<void> | undefined;
  return {
    get loaded() {
      return tokenizer !== undefined;
    },
    load() {
      loading ??= loadTokenizer(encoding).then(
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
      return tokenizer === undefined ? estimateTokens(text) : guardedCount(text, tokenizer);
    },
    *countInSteps(text) {
      return tokenizer === undefined ? estimateTokens(text) : yield* countInSteps(text, tokenizer);
    },
  };
}

async function loadTokenizer(encoding: Encoding): Promise<Tokenizer> {
  const [{ countTokens }, patterns] = await Promise.all([
    loadEncoding(encoding),
    import('gpt-tokenizer/encodingParams/constants'),
  ]);
  const plain = { disallowedSpecial: new Set<string>() };
  return {
    count: (text) => countTokens(text, plain),
    pattern: encoding === 'o200k_base' ? patterns.O200K_TOKEN_SPLIT_REGEX : patterns.CL100K_TOKEN_SPLIT_REGEX,
  };
}

function loadEncoding(encoding: Encoding) {
  switch (encoding) {
    case 'o200k_base':
      return import('gpt-tokenizer/encoding/o200k_base');
    case 'cl100k_base':
      return import('gpt-tokenizer/encoding/cl100k_base');
    default:
      return encoding satisfies never;
  }
}
