import type { BenchSession } from './bench-session.js';
import type { Candidate } from './candidates/candidate.js';
import { candidates as allCandidates } from './candidates/candidates.js';
import { commonAtoms } from './common-atoms.js';
import { loadCounter } from './count-tokens.js';
import { type ReplayResult, replay, replayLimits } from './replay.js';
import { type CutResult, measureCuts } from './static-cuts.js';
import { type BenchSummary, summarize } from './summary.js';

/** `tune`: to try things on. `report`: to check that they hold elsewhere. */
export type Half = 'tune' | 'report';

interface BenchOptions {
  /** @default all of them */
  readonly candidates?: readonly Candidate[];
  /** Tokens. @default [32000, 64000] */
  readonly limits?: readonly number[];
  /** Only half of the sessions, to try things on one half and report on the other. @default both halves */
  readonly half?: Half;
  /** Leaves out the static cuts. @default false */
  readonly replaysOnly?: boolean;
  /** Called with the current work, and the share of all work that is done, 0–1. */
  onProgress?(what: string, done: number): void;
}

export interface BenchRun {
  readonly summary: BenchSummary;
  readonly cuts: readonly CutResult[];
  readonly replays: readonly ReplayResult[];
}

/**
 * Runs every candidate over every session: static cuts and replays. The same sessions and candidates give the same figures, except for
 * times.
 */
export async function runBench(
  sessions: readonly BenchSession[],
  options: BenchOptions = {},
): Promise<BenchRun> {
  const { candidates = allCandidates, limits = replayLimits } = options;
  const tokensOf = await loadCounter();
  const common = commonAtoms(sessions);
  const chosen = halfOf(sessions, options.half);
  const cuts: CutResult[] = [];
  const replays: ReplayResult[] = [];
  for (const [index, { session, hasCut }] of chosen.entries()) {
    const done = (part: number) => (index + part) / chosen.length;
    if (options.replaysOnly !== true)
      cuts.push(
        ...(await measureCuts(session, candidates, {
          tokensOf,
          common,
          hasCut,
          onStep: (what, part) => options.onProgress?.(what, done(part * cutsShare)),
        })),
      );
    for (const [at, limit] of limits.entries()) {
      for (const [nth, candidate] of candidates.entries()) {
        const onStep = (part: number) => {
          const share = (at * candidates.length + nth + part) / (limits.length * candidates.length);
          const what = `${session.id}: ${candidate.name} under ${limit}`;
          options.onProgress?.(what, done(cutsShare + (1 - cutsShare) * share));
        };
        onStep(0);
        const result = await replay(session, candidate, { limit, tokensOf, common, onStep });
        if (result !== undefined) replays.push(result);
      }
    }
  }
  return { summary: summarize(cuts, replays), cuts, replays };
}

/** Of the work on a session; the replays take the rest. */
const cutsShare = 0.5;

/** A session, and which of its cuts belong to the half. */
interface HalfSession {
  readonly session: BenchSession;
  readonly hasCut: (index: number) => boolean;
}

/** Every other session of each source, beginning with the first for `tune`. Of a source with one session, every other cut. */
export function halfOf(sessions: readonly BenchSession[], half?: Half): HalfSession[] {
  const isOurs = (index: number) => half === undefined || index % 2 === (half === 'tune' ? 0 : 1);
  return sessions.flatMap((session): HalfSession[] => {
    const siblings = sessions.filter(({ source }) => source === session.source);
    if (siblings.length === 1) return [{ session, hasCut: isOurs }];
    return isOurs(siblings.indexOf(session)) ? [{ session, hasCut: () => true }] : [];
  });
}
