import {
  type Candidate,
  type CompactionResult,
  chatTables,
  commonAtoms,
  compactionTables,
  compareCompactions,
  loadCounter,
  measureChats,
  measureRecalls,
  randomMessages,
  recallTables,
  type Table,
} from '@ctx/bench';
import type { Progress } from '../terminal/progress.js';
import type { Inputs } from './inputs.js';

/** The candidate whose views are recalled: what a user gets without choosing. */
const recalling = 'default pipeline';

/** The tables of what is measured apart from cuts and replays: compactions by the agents themselves, chats, and recall. */
export async function moreTables(
  { sessions, chats }: Inputs,
  candidates: readonly Candidate[],
  progress: Progress,
): Promise<Table[]> {
  const tokensOf = await loadCounter();
  const common = commonAtoms(sessions);
  const compactions: CompactionResult[] = [];
  for (const [index, session] of sessions.entries()) {
    progress.step(`${session.id}: compactions`, index / sessions.length);
    compactions.push(...(await compareCompactions(session, { tokensOf, common })));
  }
  const answered = await measureChats(chats, {
    candidates: [...candidates, randomMessages],
    tokensOf,
    onStep: progress.step,
  });
  const ours = candidates.find(({ name }) => name === recalling);
  const recalls = ours && (await measureRecalls(ours, { sessions, chats, onStep: progress.step }));
  return [
    ...compactionTables(compactions),
    ...chatTables(answered),
    ...(recalls === undefined ? [] : recallTables(recalls.cuts, recalls.replays, recalls.chats)),
  ];
}
