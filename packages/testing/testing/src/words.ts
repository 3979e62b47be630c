import type { TokenCounter } from '@ctx/core';

/** Counts a token for each word, so that a reader of a test can check the figures. */
export const wordCounter: TokenCounter = {
  count: (text) => text.match(/\S+/g)?.length ?? 0,
};

/** A text of this number of words, which has as many tokens for `wordCounter`. */
export function words(count: number, word = 'word'): string {
  return Array(count).fill(word).join(' ');
}
