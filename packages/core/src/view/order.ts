import type { Origins } from './origins.js';
import type { ViewEntry } from './view-entry.js';

/** True for a message that the user wrote, in contrast to a summary or an excerpt. */
export function isUsers({ message }: Pick<ViewEntry, 'message'>): boolean {
  return message.role === 'user' && message.summary !== true;
}

/**
 * True if some of these messages were said before one of the user's messages, and some after it: wherever the message that stands for them
 * is put, work would stand before its task, or something else after it.
 * @param said ascending positions of the user's messages in the transcript
 */
export function standsAround(origins: Pick<Origins, 'lowest' | 'highest'>, said: readonly number[]): boolean {
  const next = said[firstAbove(said, origins.lowest)];
  return next !== undefined && next < origins.highest;
}

/** Where the first number is that is larger than a limit, among ascending numbers; their number if none is. */
export function firstAbove(numbers: readonly number[], limit: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] as number) > limit) high = middle;
    else low = middle + 1;
  }
  return low;
}
