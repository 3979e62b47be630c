import { type Average, averageOf, type Sample } from './averages.js';
import type { Half } from './halves.js';
import type { Work } from './kind-of-work.js';
import type { ReplayResult } from './replay.js';
import type { CutResult } from './static-cuts.js';

/** A candidate at one budget, over all cuts or those of one source. Shares are 0–100. */
export interface StaticSummary {
  readonly candidate: string;
  readonly kind: CutResult['kind'];
  /** Absent: all sources, each counting the same. */
  readonly source?: string;
  /** Absent: all kinds of work. */
  readonly work?: Work;
  /** Absent: both halves of the sessions. */
  readonly half?: Half;
  readonly share: number;
  readonly cuts: number;
  readonly usableCtx: Average;
  readonly usableLine: Average;
  readonly usablePassage: Average;
  readonly usableGrounded: Average;
  readonly ctx: Average;
  readonly survival: Average;
  /** Undefined if no cut has such atoms, or no user spoke. */
  readonly far: Average | undefined;
  readonly instructions: Average | undefined;
  readonly inBudget: Average;
  readonly valid: Average;
  /** Median of a compression. */
  readonly ms: number;
}

/** A candidate under one limit. */
export interface ReplaySummary {
  readonly candidate: string;
  readonly kind: ReplayResult['kind'];
  readonly limit: number;
  readonly sessions: number;
  /** 0–100. */
  readonly missRate: Average;
  /** 0–100: uses without the passage in the view. */
  readonly passageMissRate: Average;
  /** Edits of texts that the agent had seen; a sum. */
  readonly edits: number;
  /** 0–100: such edits with all lines in the view, and with the lines next to each other. Undefined without edits. */
  readonly editsWhole: Average | undefined;
  readonly editsBlock: Average | undefined;
  /** Tokens of the views at these edits. */
  readonly editViewTokens: Average | undefined;
  /** Compressions at which all that was unread fits the limit; a sum, as is the number of those that left it whole. */
  readonly looks: number;
  readonly looksWhole: number;
  /** Relative to no compression. */
  readonly cost: Average;
  /** Sums over the sessions. */
  readonly requests: number;
  readonly overflows: number;
  readonly invalid: number;
  readonly rewrites: number;
  readonly msPerStep: number;
}

export interface BenchSummary {
  readonly sessions: number;
  readonly sources: readonly string[];
  /** Of one candidate at one budget. */
  readonly cuts: number;
  readonly needed: number;
  readonly overall: readonly StaticSummary[];
  readonly bySource: readonly StaticSummary[];
  readonly byWork: readonly StaticSummary[];
  readonly byHalf: readonly StaticSummary[];
  readonly replays: readonly ReplaySummary[];
  /** Others under limits of their own, at which their views at the edits are as large as those of the default pipeline. */
  readonly sameView: readonly SameViewSummary[];
}

interface SameViewSummary extends ReplaySummary {
  /** The limit of the default pipeline. */
  readonly limitOfOurs: number;
}

/** What was replayed at the mean view of ours, by the limit of ours. */
export type SameView = ReadonlyMap<number, readonly ReplayResult[]>;

/** Averages: cuts of a session, sessions of a source, sources. */
export function summarize(
  cuts: readonly CutResult[],
  replays: readonly ReplayResult[],
  sameView: SameView = new Map(),
): BenchSummary {
  const sources = [...new Set(cuts.map(({ source }) => source))];
  const [first] = cuts;
  const once = cuts.filter((one) => one.candidate === first?.candidate && one.share === first.share);
  return {
    sessions: new Set(cuts.map(({ source, session }) => JSON.stringify([source, session]))).size,
    sources,
    cuts: once.length,
    needed: once.reduce((sum, one) => sum + one.needed, 0),
    overall: groupsBy(cuts, ({ candidate, share }) => [candidate, share]).map((group) =>
      staticSummary(group),
    ),
    bySource: groupsBy(cuts, ({ candidate, share, source }) => [candidate, share, source]).map((group) => ({
      ...staticSummary(group),
      source: group[0].source,
    })),
    byWork: groupsBy(cuts, ({ candidate, share, work }) => [candidate, share, work]).map((group) => ({
      ...staticSummary(group),
      work: group[0].work,
    })),
    byHalf: groupsBy(cuts, ({ candidate, share, half }) => [candidate, share, half]).map((group) => ({
      ...staticSummary(group),
      half: group[0].half,
    })),
    replays: groupsBy(replays, ({ candidate, limit }) => [candidate, limit]).map(replaySummary),
    sameView: [...sameView].flatMap(([limitOfOurs, results]) =>
      groupsBy(results, ({ candidate }) => candidate).map((group) => ({
        ...replaySummary(group),
        limitOfOurs,
      })),
    ),
  };
}

type Group<Item> = readonly [Item, ...Item[]];

function groupsBy<Item>(items: readonly Item[], keyOf: (item: Item) => unknown): Group<Item>[] {
  const groups = new Map<string, [Item, ...Item[]]>();
  for (const item of items) {
    const key = JSON.stringify(keyOf(item));
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return [...groups.values()];
}

function staticSummary(cuts: Group<CutResult>): StaticSummary {
  const [{ candidate, kind, share }] = cuts;
  const average = (pick: (cut: CutResult) => number | undefined) => averageOf(samplesOf(cuts, pick));
  const always = (pick: (cut: CutResult) => number) => average(pick) as Average;
  return {
    candidate,
    kind,
    share,
    cuts: cuts.length,
    usableCtx: always((cut) => cut.usableCtx),
    usableLine: always((cut) => cut.usableLine),
    usablePassage: always((cut) => cut.usablePassage),
    usableGrounded: always((cut) => cut.usableGrounded),
    ctx: always((cut) => cut.ctx),
    survival: always((cut) => cut.survival),
    far: average((cut) => cut.far),
    instructions: average((cut) => cut.instructions),
    inBudget: always((cut) => 100 * Number(cut.inBudget)),
    valid: always((cut) => 100 * Number(cut.validOpenai && cut.validAnthropic)),
    ms: median(cuts.map((cut) => cut.ms)),
  };
}

function replaySummary(replays: Group<ReplayResult>): ReplaySummary {
  const [{ candidate, kind, limit }] = replays;
  const sum = (pick: (replay: ReplayResult) => number) =>
    replays.reduce((total, one) => total + pick(one), 0);
  const rate = (pick: (replay: ReplayResult) => number) => (one: ReplayResult) =>
    (100 * pick(one)) / Math.max(1, one.uses);
  const edited = replays.filter(({ edits }) => edits > 0);
  return {
    candidate,
    kind,
    limit,
    sessions: replays.length,
    missRate: averageOf(
      samplesOf(
        replays,
        rate(({ misses }) => misses),
      ),
    ) as Average,
    passageMissRate: averageOf(
      samplesOf(
        replays,
        rate((one) => one.passageMisses),
      ),
    ) as Average,
    edits: sum((one) => one.edits),
    editsWhole: averageOf(samplesOf(edited, (one) => (100 * one.editsWhole) / one.edits)),
    editsBlock: averageOf(samplesOf(edited, (one) => (100 * one.editsBlock) / one.edits)),
    editViewTokens: averageOf(samplesOf(edited, (one) => one.editViewTokens)),
    looks: sum((one) => one.looks),
    looksWhole: sum((one) => one.looksWhole),
    cost: averageOf(samplesOf(replays, ({ cost }) => cost)) as Average,
    requests: sum((one) => one.requests),
    overflows: sum((one) => one.overflows),
    invalid: sum((one) => one.invalid),
    rewrites: sum((one) => one.rewrites),
    msPerStep:
      sum((one) => one.msPerStep * one.requests) /
      Math.max(
        1,
        sum((one) => one.requests),
      ),
  };
}

function samplesOf<Item extends { readonly source: string; readonly session: string }>(
  items: readonly Item[],
  pick: (item: Item) => number | undefined,
): Sample[] {
  return items.flatMap((item) => {
    const value = pick(item);
    return value === undefined ? [] : [{ source: item.source, session: item.session, value }];
  });
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
