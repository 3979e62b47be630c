import type { ViewMessage } from '@ctx/core';

/** Positions in a view, both inclusive. */
export interface MiddleRange {
  readonly start: number;
  readonly end: number;
}

/** Floating-point sums must not move an edge. */
const tolerance = 1e-9;

/**
 * The messages between two shares of the tokens, without the first and the last message that are not system's: from where the
 * running total reaches `startShare` to where it reaches `endShare`. Undefined where none lies between. By tokens, not
 * by number: one huge message may be the whole range.
 * @param view without what is not counted; system messages are passed over
 */
export function middleRange(
  view: readonly Pick<ViewMessage, 'index' | 'tokens' | 'message'>[],
  { startShare, endShare }: { readonly startShare: number; readonly endShare: number },
): MiddleRange | undefined {
  const counted = view.filter(({ message }) => message.role !== 'system');
  const total = counted.reduce((sum, { tokens }) => sum + tokens, 0);
  let sum = 0;
  let start: number | undefined;
  let end: number | undefined;
  for (const [position, { tokens }] of counted.entries()) {
    sum += tokens;
    if (start === undefined && sum >= total * startShare - tolerance) start = position;
    if (end === undefined && sum >= total * endShare - tolerance) end = position;
  }
  const first = counted[Math.max(start ?? 0, 1)];
  const last = counted[Math.min(end ?? 0, counted.length - 2)];
  if (first === undefined || last === undefined || first.index > last.index) return undefined;
  return { start: first.index, end: last.index };
}
