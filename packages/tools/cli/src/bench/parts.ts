import {
  type BenchSession,
  type Candidate,
  cycleTables,
  loadCounter,
  loopSummary,
  loopTables,
  measureCycles,
  measureLoop,
  measurePlanted,
  plantedTables,
  type Table,
} from '@ctx/bench';
import type { Progress } from '../terminal/progress.js';

/** What is measured. */
export interface Measurable {
  readonly sessions: readonly BenchSession[];
  readonly candidates: readonly Candidate[];
  /** True if somebody named the candidates for many compressions. */
  readonly isNamed: boolean;
}

type Found = { readonly tables: readonly Table[]; readonly rows: readonly unknown[] };

/** What a user gets without choosing. */
const usual = 'default pipeline';

/** What is measured besides cuts and replays, in the order of the tables. Each takes minutes, and can be measured alone. */
export const parts = {
  /** Scripted agents in small windows; needs no sessions. */
  async loop({ candidates }, { step }) {
    const results = await measureLoop({ candidates, onStep: step });
    return { tables: loopTables(results), rows: loopSummary(results) };
  },

  /**
   * Many compressions of one conversation. Of our candidates only the one that users get, unless they are named: the others take long, and
   * nobody runs them alone for so long.
   */
  async cycles({ sessions, candidates, isNamed }, { step }) {
    const tokensOf = await loadCounter();
    const results = [];
    for (const candidate of candidates.filter(
      ({ kind, name }) => isNamed || kind !== 'ctx' || name === usual,
    )) {
      const onStep = (done: number) => step(`${candidate.name}: many compressions`, done);
      results.push((await measureCycles(sessions, candidate, { tokensOf, onStep })) ?? []);
    }
    return { tables: cycleTables(results.flat()), rows: results.flat() };
  },

  /** Facts that were said once in made conversations; needs no sessions. */
  async planted({ candidates }, { step }) {
    const results = await measurePlanted({ candidates, tokensOf: await loadCounter(), onStep: step });
    return { tables: plantedTables(results), rows: results };
  },
} satisfies Record<string, (what: Measurable, progress: Progress) => Promise<Found>>;
