import {
  type Candidate,
  type CompactionResult,
  chatTables,
  commonAtoms,
  compactionTables,
  compareCompactions,
  loadCounter,
  measureChats,
  randomMessages,
  type Table,
} from '@ctx/bench';
import type { Inputs } from './inputs.js';
import { progress } from './progress.js';

/** The tables of what is measured apart from cuts and replays: compactions by the agents themselves, and chats. */
export async function moreTables(
  { sessions, chats }: Inputs,
  candidates: readonly Candidate[],
): Promise<Table[]> {
  const tokensOf = await loadCounter();
  const common = commonAtoms(sessions);
  const compactions: CompactionResult[] = [];
  for (const session of sessions) {
    progress(`${session.id}: compactions`);
    compactions.push(...(await compareCompactions(session, { tokensOf, common })));
  }
  const answered = await measureChats(chats, {
    candidates: [...candidates, randomMessages],
    tokensOf,
    onStep: progress,
  });
  return [...compactionTables(compactions), ...chatTables(answered)];
}
