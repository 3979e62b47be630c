import fc from 'fast-check';
import type { Failure } from './laws.js';
import { anyOperations, type Operation } from './operations.js';
import { anySetup, type Setup } from './setup.js';

/** A manager and everything that happens to it, as plain JSON, so that it can be printed, reduced and pasted into a test. */
export interface History {
  readonly setup: Setup;
  readonly operations: readonly Operation[];
}

const anyHistory: fc.Arbitrary<History> = fc.noBias(
  fc.record({ setup: anySetup, operations: anyOperations }),
);

/** The history of a seed, the same each time. */
export function historyOf(seed: number): History {
  return fc.sample(anyHistory, { seed, numRuns: 1 })[0] as History;
}

/**
 * Reduces the failure of a seed to the steps and settings that it needs: leaves out whatever the same law is broken without.
 * @param fails runs a history
 * @param mostRuns the most runs, for failures that are slow to repeat
 */
export async function shrunk(
  seed: number,
  failure: Failure,
  fails: (history: History) => Promise<Failure | undefined>,
  mostRuns = 2000,
): Promise<{ readonly history: History; readonly failure: Failure }> {
  let best = { history: historyOf(seed), failure };
  let runs = 0;
  const holds = async (history: History) => {
    runs += 1;
    const found = runs > mostRuns ? undefined : await fails(history).catch(() => undefined);
    if (found?.law !== failure.law) return true;
    best = { history, failure: found };
    return false;
  };
  await fc.check(fc.asyncProperty(anyHistory, holds), { seed, numRuns: 1 });
  return best;
}
