import type { BenchSession } from '../bench-session.js';
import type { Candidate } from '../candidates/candidate.js';
import type { Chat } from '../chats/chat.js';
import { commonAtoms } from '../common-atoms.js';
import { loadCounter } from '../count-tokens.js';
import { replayLimits } from '../replay.js';
import { type ChatRecall, measureChatRecalls } from './chat-recalls.js';
import { type CutRecall, measureCutRecalls } from './cut-recalls.js';
import { type ReplayRecall, replayWithRecall } from './replay-recalls.js';

interface RecallMeasures {
  readonly cuts: CutRecall[];
  readonly replays: ReplayRecall[];
  readonly chats: ChatRecall[];
}

interface RecallTask {
  readonly sessions: readonly BenchSession[];
  readonly chats: readonly Chat[];
  /** Called with the current work, and the share of all work that is done, 0–1. */
  onStep?(what: string, done: number): void;
}

/** Tokens of a recall in replays. */
const replayTokens = [1_000, 2_000, 4_000];

/** Measures what one recall finds of what a candidate's views miss. */
export async function measureRecalls(
  candidate: Candidate,
  { sessions, chats, onStep }: RecallTask,
): Promise<RecallMeasures> {
  const tokensOf = await loadCounter();
  const common = commonAtoms(sessions);
  const measures: RecallMeasures = { cuts: [], replays: [], chats: [] };
  for (const [index, session] of sessions.entries()) {
    const step = (what: string) => onStep?.(what, index / sessions.length);
    const options = { tokensOf, common, onStep: step };
    measures.cuts.push(...(await measureCutRecalls(session, candidate, options)));
    for (const limit of replayLimits) {
      for (const recallTokens of replayTokens) {
        step(`${session.id}: replay with recall under ${limit}`);
        const replayed = await replayWithRecall(session, candidate, {
          limit,
          tokensOf,
          common,
          recallTokens,
        });
        if (replayed !== undefined) measures.replays.push(replayed);
      }
    }
  }
  const options = { tokensOf, ...(onStep && { onStep }) };
  measures.chats.push(...(await measureChatRecalls(chats, candidate, options)));
  return measures;
}
