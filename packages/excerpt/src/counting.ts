import type { Steps } from '@ctx/core';

/** Counts the tokens of texts. */
export interface Counting {
  tokensOf(text: string): number;
  /** The same in steps, for a long text. Default: in one. */
  countInSteps?(text: string): Steps<number>;
}

export function* counted(counting: Counting, text: string): Steps<number> {
  return counting.countInSteps === undefined ? counting.tokensOf(text) : yield* counting.countInSteps(text);
}
