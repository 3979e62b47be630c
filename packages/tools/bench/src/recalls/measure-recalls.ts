import type { BenchSession } from '../bench-session.js';
import type { Candidate } from '../candidates/candidate.js';
import type { Chat } from '../chats/chat.js';
import { commonAtoms } from '../common-atoms.js';
import { loadCounter } from '../count-tokens.js';
import { type Half, halfOf } from '../halves.js';
import { replayLimits } from '../replay.js';
import { type ChatRecall, measureChatRecalls } from './chat-recalls.js';
import { type CutRecall, measureCutRecalls } from './cut-recalls.js';
import { type ReplayRecall, replayWithRecall } from './replay-recalls.js';

export interface RecallMeasures {
  readonly cuts: CutRecall[];
  readonly replays: ReplayRecall[];
  readonly chats: ChatRecall[];
}

export interface RecallTask {
  readonly sessions: readonly BenchSession[];
  readonly chats: readonly Chat[];
  /** Every other session and every other chat. @default all */
  readonly half?: Half | undefined;
  /** What to measure. @default all three */
  readonly only?: readonly string[] | undefined;
  /** Called with the current work, and the share of all work that is done, 0–1. */
  onStep?(what: string, done: number): void;
}

/** Tokens of a recall in replays. */
const replayTokens = [1_000, 2_000, 4_000];

/** Measures what one recall finds of what a candidate's views miss. */
export async function measureRecalls(
  candidate: Candidate,
  { sessions, chats, half, only = ['cuts', 'replays', 'chats'], onStep }: RecallTask,
): Promise<RecallMeasures> {
  const tokensOf = await loadCounter();
  const common = commonAtoms(sessions);
  const measures: RecallMeasures = { cuts: [], replays: [], chats: [] };
  const chosen =
    half === undefined
      ? sessions.map((session) => ({ session, hasCut: () => true }))
      : halfOf(sessions, half);
  for (const [index, { session, hasCut }] of chosen.entries()) {
    const step = (what: string) => onStep?.(what, index / chosen.length);
    const options = { tokensOf, common, hasCut, onStep: step };
    if (only.includes('cuts')) measures.cuts.push(...(await measureCutRecalls(session, candidate, options)));
    if (!only.includes('replays')) continue;
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
  const ours = chats.filter((_, index) => half === undefined || index % 2 === (half === 'tune' ? 0 : 1));
  if (only.includes('chats'))
    measures.chats.push(
      ...(await measureChatRecalls(ours, candidate, { tokensOf, ...(onStep && { onStep }) })),
    );
  return measures;
}
