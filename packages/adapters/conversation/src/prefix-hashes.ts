import type { Message, Steps } from '@ctx/core';
import { saidParts, stringifyJson } from '@ctx/core/codec';
import { digestOf } from '@ctx/core/kit';

/** What a history is found by. */
export interface Prefixes {
  /**
   * One number for each beginning: equal beginnings have equal numbers. System prompts don't count, as some agents write the time into theirs.
   * What is found by it is compared in full before it is used.
   */
  readonly hashes: readonly number[];
  /** The characters of what was said, system prompts apart. */
  readonly characters: number;
  /** A number for the system prompts: equal ones have an equal number. */
  readonly system: number;
}

export function* prefixesInSteps(messages: readonly Message[]): Steps<Prefixes> {
  const hashes: number[] = [];
  let [characters, system] = [0, 0];
  for (const message of messages) {
    yield;
    const text = `${message.role}${stringifyJson(saidParts(message))}`;
    if (message.role === 'system') system = digestOf(system, text);
    else {
      hashes.push(digestOf(hashes.at(-1) ?? 0, text));
      characters += text.length;
    }
  }
  return { hashes, characters, system };
}

/** How many hashes both begin with. Each is that of everything up to there, so after one that differs all do. */
export function commonLength(one: readonly number[], other: readonly number[]): number {
  let [same, end] = [0, Math.min(one.length, other.length)];
  while (same < end) {
    const middle = (same + end + 1) >> 1;
    if (one[middle - 1] === other[middle - 1]) same = middle;
    else end = middle - 1;
  }
  return same;
}
