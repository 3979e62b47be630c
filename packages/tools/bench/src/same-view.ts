import type { BenchSession } from './bench-session.js';
import type { Candidate } from './candidates/candidate.js';
import { defaultCandidate } from './candidates/ctx.js';
import { type ReplayOptions, type ReplayResult, replay } from './replay.js';
import { summarize } from './summary.js';

export interface SameViewOptions extends Pick<ReplayOptions, 'limit' | 'tokensOf' | 'common'> {
  readonly candidates: readonly Candidate[];
  onStep?(candidate: string): void;
}

/** A mean this close to ours counts as the same, as a share. */
const tolerance = 0.03;
/** Limits that are tried for a candidate; views are about proportional to them, so that two usually do. */
const attempts = 3;

/**
 * Replays others under limits of their own, at which their views at the edits are on average as large as those of the default pipeline
 * under the given limit: who shows more sees more. Empty if the default pipeline was not replayed, or there is no edit.
 */
export async function replayAtSameView(
  sessions: readonly BenchSession[],
  replays: readonly ReplayResult[],
  { candidates, limit, onStep, ...options }: SameViewOptions,
): Promise<ReplayResult[]> {
  const under = replays.filter((one) => one.limit === limit);
  const target = meanView(under.filter(({ candidate }) => candidate === defaultCandidate.name));
  if (target === undefined) return [];
  const results: ReplayResult[] = [];
  for (const candidate of candidates.filter(({ kind }) => kind !== 'ctx')) {
    let best = under.filter((one) => one.candidate === candidate.name);
    for (let attempt = 0; attempt < attempts && distance(best, target) > tolerance; attempt += 1) {
      onStep?.(candidate.name);
      const mean = Math.max(1, meanView(best) ?? target);
      const own = Math.round(((best[0]?.limit ?? limit) * target) / mean);
      const found = await replaysOf(sessions, candidate, { ...options, limit: own, atLeast: limit });
      if (distance(found, target) >= distance(best, target)) break;
      best = found;
    }
    results.push(...best);
  }
  return results;
}

async function replaysOf(
  sessions: readonly BenchSession[],
  candidate: Candidate,
  options: ReplayOptions,
): Promise<ReplayResult[]> {
  const results: ReplayResult[] = [];
  for (const session of sessions) {
    const result = await replay(session, candidate, options);
    if (result !== undefined) results.push(result);
  }
  return results;
}

/** How far the mean view is from the target, as a share of it; 0 without a view, which no other limit would change. */
function distance(replays: readonly ReplayResult[], target: number): number {
  const mean = meanView(replays);
  return mean === undefined ? 0 : Math.abs(mean / target - 1);
}

function meanView(replays: readonly ReplayResult[]): number | undefined {
  return summarize([], replays).replays[0]?.editViewTokens?.mean;
}
