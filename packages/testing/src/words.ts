import type { TokenCounter } from '@ctx/core';

/** A token for each word: figures that a reader of a test can check. */
export const wordCounter: TokenCounter = {
  count: (text) => text.split(/\s+/).filter((word) => word !== '').length,
};

/** A text of so many words, and so of as many tokens for `wordCounter`. */
export function words(count: number, word = 'word'): string {
  return Array.from({ length: count }, () => word).join(' ');
}
