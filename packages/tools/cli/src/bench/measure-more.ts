import {
  type BenchSession,
  type Candidate,
  type Chat,
  type CompactionResult,
  type CycleResult,
  chatTables,
  commonAtoms,
  compactionTables,
  compareCompactions,
  cycleTables,
  type LoopSummary,
  loadCounter,
  loopSummary,
  loopTables,
  measureChats,
  measureCycles,
  measureLoop,
  measurePlanted,
  measureRecalls,
  type PlantedResult,
  plantedTables,
  randomMessages,
  recallTables,
  type Table,
} from '@ctx/bench';
import type { CtxError } from '@ctx/core';
import type { Progress } from '../terminal/progress.js';

/** What is measured, and why some files are not. */
export interface Inputs {
  readonly sessions: readonly BenchSession[];
  readonly chats: readonly Chat[];
  readonly errors: readonly CtxError[];
}

/** The candidate whose views are recalled: what a user gets without choosing. */
const recalling = 'default pipeline';

/** What is measured apart from cuts and replays. */
export interface More {
  readonly tables: readonly Table[];
  readonly loop: readonly LoopSummary[];
  readonly cycles: readonly CycleResult[];
  readonly planted: readonly PlantedResult[];
}

export const nothingMore: More = { tables: [], loop: [], cycles: [], planted: [] };

interface MoreOptions {
  readonly progress: Progress;
  /** Measures nothing but many compressions of one conversation. */
  readonly cyclesOnly: boolean;
  /** Measures these and the scripted agents too. */
  readonly withLoop: boolean;
}

/**
 * Compactions by the agents themselves, chats, recall, scripted agents, many compressions of one conversation, and planted facts; or only
 * many compressions.
 */
export async function measureMore(
  { sessions, chats }: Inputs,
  candidates: readonly Candidate[],
  { progress, cyclesOnly, withLoop }: MoreOptions,
): Promise<More> {
  const cycles = cyclesOnly || withLoop ? await cyclesOf(sessions, candidates, progress) : [];
  if (cyclesOnly) return { ...nothingMore, tables: cycleTables(cycles), cycles };
  const loop = withLoop ? await measureLoop({ candidates, onStep: progress.step }) : [];
  const planted = withLoop ? await plantedOf(candidates, progress) : [];
  const compactions = await compactionsOf(sessions, progress);
  const answered = await measureChats(chats, {
    candidates: [...candidates, randomMessages],
    tokensOf: await loadCounter(),
    onStep: progress.step,
  });
  const ours = candidates.find(({ name }) => name === recalling);
  const recalls = ours && (await measureRecalls(ours, { sessions, chats, onStep: progress.step }));
  const tables = [
    ...loopTables(loop),
    ...cycleTables(cycles),
    ...plantedTables(planted),
    ...compactionTables(compactions),
    ...chatTables(answered),
    ...(recalls === undefined ? [] : recallTables(recalls.cuts, recalls.replays, recalls.chats)),
  ];
  return { tables, loop: loopSummary(loop), cycles, planted };
}

async function compactionsOf(sessions: Inputs['sessions'], progress: Progress): Promise<CompactionResult[]> {
  const tokensOf = await loadCounter();
  const common = commonAtoms(sessions);
  const compactions: CompactionResult[] = [];
  for (const [index, session] of sessions.entries()) {
    progress.step(`${session.id}: compactions`, index / sessions.length);
    compactions.push(...(await compareCompactions(session, { tokensOf, common })));
  }
  return compactions;
}

/** Of our candidates only the one that users get: the others take long, and nobody runs them alone for so long. */
async function cyclesOf(
  sessions: Inputs['sessions'],
  candidates: readonly Candidate[],
  progress: Progress,
): Promise<CycleResult[]> {
  const tokensOf = await loadCounter();
  const results: CycleResult[] = [];
  for (const candidate of candidates.filter(({ kind, name }) => kind !== 'ctx' || name === recalling)) {
    const onStep = (done: number) => progress.step(`${candidate.name}: many compressions`, done);
    const result = await measureCycles(sessions, candidate, { tokensOf, onStep });
    if (result !== undefined) results.push(result);
  }
  return results;
}

export async function plantedOf(
  candidates: readonly Candidate[],
  progress: Progress,
): Promise<readonly PlantedResult[]> {
  return measurePlanted({ candidates, tokensOf: await loadCounter(), onStep: progress.step });
}
