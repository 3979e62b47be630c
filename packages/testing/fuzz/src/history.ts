import type { Operation } from './operation.js';
import { Random } from './random.js';
import { randomOperations } from './random-operations.js';
import { randomSetup } from './random-setup.js';
import type { Setup } from './setup.js';

/** A manager and everything that happens to it, as plain JSON, so that it can be printed, reduced and pasted into a test. */
export interface History {
  readonly setup: Setup;
  readonly operations: readonly Operation[];
}

/** The history of a seed, the same each time. */
export function historyOf(seed: number): History {
  const random = new Random(seed);
  const setup = randomSetup(random);
  const operations = randomOperations(random, setup);
  const isWritten = JSON.stringify([setup, operations]).includes('"writes"');
  return { setup: { ...setup, frozen: setup.frozen || isWritten }, operations };
}
