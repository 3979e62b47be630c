import { type Message, partsOf } from '@ctx/core';
import { digestOf } from '@ctx/core/kit';

/**
 * One number for each beginning of a history: equal beginnings have equal numbers. System prompts don't count, as some agents write the time
 * into theirs. What is found by it is compared in full before it is used.
 */
export function prefixHashes(messages: readonly Message[]): number[] {
  const hashes: number[] = [];
  let hash = 0;
  for (const message of messages) {
    if (message.role === 'system') continue;
    hash = digestOf(hash, `${message.role}${JSON.stringify(partsOf(message))}`);
    hashes.push(hash);
  }
  return hashes;
}
