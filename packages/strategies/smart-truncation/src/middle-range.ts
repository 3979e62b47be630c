import type { ViewMessage } from '@ctx/core';

/** Positions in a view, both inclusive. */
export interface MiddleRange {
  readonly start: number;
  readonly end: number;
}

/** A tolerance, so that rounding errors of sums do not move an edge. */
const tolerance = 1e-9;

/**
 * The messages between two shares of the tokens: from the message at which the running total reaches `startShare` to the one at which it
 * reaches `endShare`. Leaves out the first and the last message that are not system messages. Undefined if there are none in between.
 * Tokens decide, not the number of messages, so one huge message may be the whole range.
 * @param view the messages to count; system messages are skipped
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
