import type { Steps } from '@ctx/core';
import { longestCounted, partTokens } from './weights.js';

/** Counts the tokens of texts. */
export interface Counting {
  tokensOf(text: string): number;
  /** The same in steps, for a long text. Default: in one. */
  countInSteps?(text: string): Steps<number>;
}

/**
 * Counts a text that may be long in parts, with a few tokens more for each part, in case that the counter sees more in the whole.
 */
export function* countedInParts(counting: Counting, text: string): Steps<number> {
  if (text.length <= longestCounted) return yield* counted(counting, text);
  let tokens = 0;
  for (let start = 0; start < text.length; ) {
    const lineEnd = text.indexOf('\n', start + longestCounted);
    const end = lineEnd < 0 ? text.length : lineEnd + 1;
    tokens += (yield* counted(counting, text.slice(start, end))) + partTokens;
    start = end;
    yield;
  }
  return tokens;
}

function* counted(counting: Counting, text: string): Steps<number> {
  return counting.countInSteps === undefined ? counting.tokensOf(text) : yield* counting.countInSteps(text);
}
