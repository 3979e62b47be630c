import type { Steps } from '@ctx/core';

/** Results that are judged in a step. */
const stepResults = 16;

/** The items one by one, with a pause after some of them. */
export function* eachInSteps<T>(
  items: readonly T[],
  visit: (item: T, position: number) => void,
): Steps<void> {
  for (let first = 0; first < items.length; first += stepResults) {
    yield;
    const end = Math.min(items.length, first + stepResults);
    for (let at = first; at < end; at += 1) visit(items[at] as T, at);
  }
}
