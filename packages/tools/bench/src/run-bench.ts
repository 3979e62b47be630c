import type { BenchSession } from './bench-session.js';
import type { Candidate } from './candidates/candidate.js';
import { candidates as allCandidates } from './candidates/index.js';
import { commonAtoms } from './common-atoms.js';
import { type CountTokens, loadCounter } from './count-tokens.js';
import { fatesOf, reportMessage } from './fates.js';
import { type Half, type HalfSession, halfOf, halvesOf } from './halves.js';
import { type ReplayResult, replay, replayLimits } from './replay.js';
import type { ReportReplay, ReportTimeline } from './report/report-data.js';
import { isRanked } from './report-tables.js';
import { replayAtSameView } from './same-view.js';
import { type CutResult, measureCuts } from './static-cuts.js';
import { type BenchSummary, summarize } from './summary.js';

export interface BenchOptions {
  /** @default all of them */
  readonly candidates?: readonly Candidate[];
  /** Tokens. @default [32000, 64000] */
  readonly limits?: readonly number[];
  /** Only half of the sessions, to try things on one half and report on the other. @default both halves */
  readonly half?: Half;
  /** Leaves out the static cuts. @default false */
  readonly replaysOnly?: boolean;
  /** Collects the details of each message for a report, which takes memory in proportion to the sessions. @default false */
  readonly timelines?: boolean;
  /** Called with the current work, and the share of all work that is done, 0–1. */
  onProgress?(what: string, done: number): void;
}

export interface BenchRun {
  readonly summary: BenchSummary;
  readonly cuts: readonly CutResult[];
  readonly replays: readonly ReplayResult[];
  readonly timelines: readonly ReportTimeline[];
}

/**
 * Runs every candidate over every session: static cuts and replays. The same sessions and candidates give the same figures, except for
 * times.
 */
export async function runBench(
  sessions: readonly BenchSession[],
  options: BenchOptions = {},
): Promise<BenchRun> {
  const { candidates = allCandidates, limits = replayLimits, timelines: withTimelines = false } = options;
  const tokensOf = await loadCounter();
  const common = commonAtoms(sessions);
  const chosen = options.half === undefined ? sessions.map(whole) : halfOf(sessions, options.half);
  const half = halvesOf(sessions);
  const cuts: CutResult[] = [];
  const replays: ReplayResult[] = [];
  const timelines: ReportTimeline[] = [];
  for (const [index, { session, hasCut }] of chosen.entries()) {
    const timeline = new TimelineCollector(session, tokensOf);
    const done = (part: number) => (index + part) / chosen.length;
    if (options.replaysOnly !== true)
      cuts.push(
        ...(await measureCuts(session, candidates, {
          tokensOf,
          common,
          hasCut,
          halfOf: (cut) => half(session, cut),
          onStep: (what, part) => options.onProgress?.(what, done(part * cutsShare)),
          ...(withTimelines && { onResult: timeline.add.bind(timeline) }),
        })),
      );
    timelines.push(...timeline.timelines());
    for (const [at, limit] of limits.entries()) {
      for (const [nth, candidate] of candidates.entries()) {
        const onStep = (part: number) => {
          const replayed = (at * candidates.length + nth + part) / (limits.length * candidates.length);
          options.onProgress?.(
            `${session.id}: ${candidate.name} under ${limit}`,
            done(cutsShare + (1 - cutsShare) * replayed),
          );
        };
        onStep(0);
        const result = await replay(session, candidate, { limit, tokensOf, common, onStep });
        if (result !== undefined) replays.push(result);
      }
    }
  }
  const sameView = new Map<number, readonly ReplayResult[]>();
  for (const limit of limits)
    sameView.set(
      limit,
      await replayAtSameView(
        chosen.map(({ session }) => session),
        replays,
        {
          candidates,
          limit,
          tokensOf,
          common,
          onStep: (name) => options.onProgress?.(`${name} at the mean view of ours under ${limit}`, 1),
        },
      ),
    );
  return { summary: summarize(cuts, replays, sameView), cuts, replays, timelines };
}

/** Of the work on a session; the replays take the rest. */
const cutsShare = 0.5;

const whole = (session: BenchSession): HalfSession => ({ session, hasCut: () => true });

/** Keeps the last cut of a session, with every candidate's result. */
class TimelineCollector {
  #position = -1;
  #byShare = new Map<number, ReportTimeline & { candidates: ReportTimeline['candidates'][number][] }>();

  constructor(
    readonly session: BenchSession,
    readonly tokensOf: CountTokens,
  ) {}

  add(
    ...[result, cut, compressed]: Parameters<NonNullable<Parameters<typeof measureCuts>[2]['onResult']>>
  ): void {
    const { tokensOf } = this;
    if (result.position !== this.#position) {
      this.#position = result.position;
      this.#byShare = new Map();
    }
    const { id, source } = this.session;
    const timeline = this.#byShare.get(result.share) ?? {
      session: id,
      source,
      share: result.share,
      messages: cut.prefix.map((message) => reportMessage(message, cut.prefix, tokensOf)),
      candidates: [],
    };
    this.#byShare.set(result.share, timeline);
    timeline.candidates.push({
      candidate: result.candidate,
      tokens: result.tokens,
      usableCtx: result.usableCtx,
      isRanked: isRanked(result),
      ...fatesOf(cut.prefix, compressed.messages, { tokensOf, record: compressed.record }),
    });
  }

  timelines(): ReportTimeline[] {
    return [...this.#byShare.values()];
  }
}

/** The replays' part of a report. */
export function reportReplays(replays: readonly ReplayResult[]): ReportReplay[] {
  return replays.map(({ session, source, limit, candidate, tokens, rewrites, misses, uses, cost }) => ({
    session,
    source,
    limit,
    candidate,
    tokens,
    rewrites,
    missRate: misses / Math.max(1, uses),
    cost,
  }));
}
