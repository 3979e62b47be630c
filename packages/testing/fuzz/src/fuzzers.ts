import { inspect } from 'node:util';
import { historyOf, shrunk } from './history.js';
import type { Failure, LawBook } from './laws.js';
import { requestFailure } from './request-run.js';
import { requestSetupOf } from './request-setup.js';
import { failureOf } from './run-history.js';

/** A value in a form that can be pasted into a test. */
function pasteable(value: unknown): string {
  return inspect(value, {
    depth: null,
    maxArrayLength: null,
    maxStringLength: null,
    breakLength: 140,
    compact: 4,
  });
}

/** Searches for failures in the run that a seed determines. */
export interface Fuzzer {
  failureOf(seed: number, book: LawBook): Promise<Failure | undefined>;
  /** Makes a failure as small as possible, and prints it for a test. */
  explain(seed: number, failure: Failure): Promise<string>;
}

export const fuzzers: Readonly<Record<'histories' | 'requests', Fuzzer>> = {
  histories: {
    failureOf: (seed, book) => failureOf(historyOf(seed), { book }),
    async explain(seed, failure) {
      const least = await shrunk(seed, failure, (history) => failureOf(history));
      return `${least.failure.law}: ${least.failure.detail}\nawait failureOf(${pasteable(least.history)})`;
    },
  },
  requests: {
    failureOf: (seed, book) => requestFailure(seed, book),
    explain: async (seed, failure) =>
      `${failure.law}: ${failure.detail}\nin round ${failure.at} of ${pasteable(requestSetupOf(seed))}`,
  },
};
export type FuzzerName = keyof typeof fuzzers;
export const fuzzerNames = Object.keys(fuzzers) as FuzzerName[];
