import fc from 'fast-check';
import { chance, int, maybe, often, record } from './choices.js';

const { constant, constantFrom } = fc;

const share = constantFrom(0, 0.1, 0.2, 0.5, 1);
const keepCount = maybe(40, int(1, 6));
/** Options of each strategy. */
export const optionsOf: Readonly<Record<string, fc.Arbitrary<Readonly<Record<string, unknown>>>>> = {
  'middle-removal': record(
    { preserveStart: int(1, 6), preserveEnd: int(1, 6) },
    { minMessagesToKeep: keepCount },
  ),
  'oldest-removal': record({}, { minMessagesToKeep: keepCount }),
  hybrid: record({ minConfidence: constantFrom(0, 0.6, 1) }),
  'tool-results': record({
    clearAtLeast: constantFrom(0, 50),
    reads: often(
      [1, constant(false)],
      [1, record({ keep: int(0, 2) })],
      [1, constant({ keep: 1, rangeAware: true, large: { overTokens: 20, keep: 0 } })],
    ),
    terminal: often(
      [1, constant(false)],
      [1, record({ olderThanMinutes: constant(0), keepNewest: int(0, 2) })],
    ),
    duplicates: constantFrom<unknown>(false, { includeReads: true }, {}),
    superseded: constantFrom<unknown>(false, {}),
    giants: often(
      [1, constant(false)],
      [1, record({ share: constant(0.1), headShare: share, keepJson: fc.boolean() })],
      [1, record({ maxTokens: int(1, 60) })],
    ),
  }),
  'file-folding': record({ keepNewest: int(0, 2), minTokens: int(0, 40) }),
  'smart-truncation': record({
    maxTokens: constantFrom<unknown>('auto', 40, 300),
    keepNewestReads: int(0, 2),
    foldReads: fc.boolean(),
    middlePercentileStart: constantFrom(0, 17, 50),
    middlePercentileEnd: constantFrom(50, 83, 100),
  }),
  importance: record({
    threshold: int(0, 100),
    keepRecent: share,
    minKeepCount: int(1, 4),
    compat: chance(30),
    preserveUserInstructions: fc.boolean(),
  }),
  condense: record({}, { maxSummaryTokens: maybe(30, int(32, 200)) }),
  relevance: record({ recent: share, users: share }),
  'sliding-window': record({}),
};
export const strategies = Object.keys(optionsOf);
