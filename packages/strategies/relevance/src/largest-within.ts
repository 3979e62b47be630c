import type { Steps } from '@ctx/core';

/** The largest number up to `most` for which `holds` is true; 0 if there is none. Assumes that it also holds for all smaller numbers. */
export function* largestWithin(most: number, holds: (count: number) => Steps<boolean>): Steps<number> {
  let [low, high] = [0, most];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (yield* holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
