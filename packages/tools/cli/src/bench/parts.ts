import {
  type BenchSession,
  type Candidate,
  type Chat,
  chatTables,
  commonAtoms,
  compactionTables,
  compareCompactions,
  cycleTables,
  loadCounter,
  loopSummary,
  loopTables,
  measureChats,
  measureCycles,
  measureLoop,
  measurePlanted,
  measureRecalls,
  plantedTables,
  randomMessages,
  recallTables,
  type Table,
} from '@ctx/bench';
import type { Progress } from '../terminal/progress.js';

/** What is measured. */
export interface Measurable {
  readonly sessions: readonly BenchSession[];
  readonly chats: readonly Chat[];
  readonly candidates: readonly Candidate[];
  /** True if somebody named the candidates for many compressions. */
  readonly isNamed: boolean;
}

/** What a part finds: tables, and rows for the summary. */
export interface Found {
  readonly tables: readonly Table[];
  readonly rows?: readonly unknown[];
}

/** The candidate whose views are recalled: what a user gets without choosing. */
const usual = 'default pipeline';

/** What is measured besides cuts and replays, in the order of the tables. */
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

  /** What agents' own summaries hold. */
  async compactions({ sessions }, { step }) {
    const options = { tokensOf: await loadCounter(), common: commonAtoms(sessions) };
    const results = [];
    for (const [index, session] of sessions.entries()) {
      step(`${session.id}: compactions`, index / sessions.length);
      results.push(await compareCompactions(session, options));
    }
    return { tables: compactionTables(results.flat()) };
  },

  /** Questions about chats. */
  async chats({ chats, candidates }, { step }) {
    const all = [...candidates, randomMessages];
    const results = await measureChats(chats, {
      candidates: all,
      tokensOf: await loadCounter(),
      onStep: step,
    });
    return { tables: chatTables(results) };
  },

  /** What a model finds again of what its view misses. */
  async recalls({ sessions, chats, candidates }, { step }) {
    const ours = candidates.find(({ name }) => name === usual);
    if (ours === undefined) return { tables: [] };
    const found = await measureRecalls(ours, { sessions, chats, onStep: step });
    return { tables: recallTables(found.cuts, found.replays, found.chats) };
  },
} satisfies Record<string, (what: Measurable, progress: Progress) => Promise<Found>>;

/** Parts that take minutes, and can be measured alone. */
export const longParts = ['loop', 'cycles', 'planted'] as const;
