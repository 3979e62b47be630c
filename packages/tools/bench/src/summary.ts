import { type Average, averaged, grouped, median, pairedDifference, samplesOf } from './averages.js';
import { defaultCandidate } from './candidates/ctx.js';
import type { ReplayResult } from './replay.js';
import type { CutResult } from './static-cuts.js';

/** A candidate at one budget, over all cuts or those of one source. Shares are 0–100. */
export interface StaticSummary {
  readonly candidate: string;
  readonly kind: CutResult['kind'];
  /** Absent: all sources. */
  readonly source?: string;
  readonly share: number;
  readonly cuts: number;
  readonly usableCtx: Average;
  readonly usablePassage: Average;
  /** Undefined if no cut has such atoms, or no user spoke. */
  readonly far: Average | undefined;
  readonly instructions: Average | undefined;
  readonly inBudget: Average;
  readonly valid: Average;
  /** Median of a compression. */
  readonly ms: number;
}

/** Counts that are added up over the sessions. */
const sums = ['edits', 'looks', 'looksWhole', 'requests', 'overflows', 'invalid', 'rewrites'] as const;

/** A candidate under one limit. */
export interface ReplaySummary
  extends Pick<ReplayResult, 'candidate' | 'kind' | 'limit' | 'msPerStep' | (typeof sums)[number]> {
  readonly sessions: number;
  /** 0–100. */
  readonly missRate: Average;
  /** 0–100: uses without the passage in the view. */
  readonly passageMissRate: Average;
  /** 0–100: edits of texts that the agent had seen with all lines in the view, and with the lines next to each other. Undefined without edits. */
  readonly editsWhole: Average | undefined;
  readonly editsBlock: Average | undefined;
  /** Tokens of the views at these edits. */
  readonly editViewTokens: Average | undefined;
  /** Relative to no compression. */
  readonly cost: Average;
}

export interface BenchSummary {
  readonly sessions: number;
  readonly sources: readonly string[];
  /** Of one candidate at one budget. */
  readonly cuts: number;
  readonly needed: number;
  readonly overall: readonly StaticSummary[];
  readonly bySource: readonly StaticSummary[];
  readonly replays: readonly ReplaySummary[];
  /** Each candidate against the default pipeline, or against the first one if that was not measured. */
  readonly differences: readonly Difference[];
}

/** How much more than another a candidate has, paired by session, in points of 100. */
export interface Difference {
  readonly candidate: string;
  readonly against: string;
  /** The budget of a cut, as a share, or the limit of a replay, in tokens. */
  readonly share?: number;
  readonly limit?: number;
  readonly figure: 'usableCtx' | 'usablePassage' | 'far' | 'instructions' | 'misses' | 'edits whole';
  readonly value: Average;
}

/** Averages: cuts of a session, then sessions, each of which counts once. */
export function summarize(cuts: readonly CutResult[], replays: readonly ReplayResult[]): BenchSummary {
  const sources = [...new Set(cuts.map(({ source }) => source))];
  const [first] = cuts;
  const once = cuts.filter((one) => one.candidate === first?.candidate && one.share === first.share);
  const by = (part?: 'source') =>
    groupsBy(cuts, (cut) => [cut.candidate, cut.share, part && cut[part]]).map((group) => ({
      ...staticSummary(group),
      ...(part && { [part]: group[0][part] }),
    }));
  return {
    sessions: groupsBy(cuts, ({ source, session }) => [source, session]).length,
    sources,
    cuts: once.length,
    needed: once.reduce((sum, one) => sum + one.needed, 0),
    overall: by(),
    bySource: by('source'),
    replays: groupsBy(replays, ({ candidate, limit }) => [candidate, limit]).map(replaySummary),
    differences: [...cutDifferences(cuts), ...replayDifferences(replays)],
  };
}

type Group<Item> = readonly [Item, ...Item[]];

function groupsBy<Item>(items: readonly Item[], keyOf: (item: Item) => unknown): Group<Item>[] {
  return [...grouped(items, (item) => JSON.stringify(keyOf(item))).values()];
}

function staticSummary(cuts: Group<CutResult>): StaticSummary {
  const [{ candidate, kind, share }] = cuts;
  const always = (pick: (cut: CutResult) => number) => averaged(cuts, pick) as Average;
  return {
    candidate,
    kind,
    share,
    cuts: cuts.length,
    usableCtx: always((cut) => cut.usableCtx),
    usablePassage: always((cut) => cut.usablePassage),
    far: averaged(cuts, (cut) => cut.far),
    instructions: averaged(cuts, (cut) => cut.instructions),
    inBudget: always((cut) => 100 * Number(cut.inBudget)),
    valid: always((cut) => 100 * Number(cut.validOpenai && cut.validAnthropic)),
    ms: median(cuts.map((cut) => cut.ms)),
  };
}

const cutFigures = ['usableCtx', 'usablePassage', 'far', 'instructions'] as const;
const replayFigures = {
  misses: (one: ReplayResult) => (100 * one.misses) / Math.max(1, one.uses),
  'edits whole': (one: ReplayResult) => (one.edits > 0 ? (100 * one.editsWhole) / one.edits : undefined),
};

function cutDifferences(cuts: readonly CutResult[]): Difference[] {
  return differences(
    cuts,
    ({ share }) => ({ share }),
    cutFigures,
    (cut, figure) => cut[figure],
  );
}

function replayDifferences(replays: readonly ReplayResult[]): Difference[] {
  const figures = Object.keys(replayFigures) as (keyof typeof replayFigures)[];
  return differences(
    replays,
    ({ limit }) => ({ limit }),
    figures,
    (one, figure) => replayFigures[figure](one),
  );
}

function differences<Item extends CutResult | ReplayResult, Figure extends Difference['figure']>(
  items: readonly Item[],
  sizeOf: (item: Item) => Pick<Difference, 'share' | 'limit'>,
  figures: readonly Figure[],
  pick: (item: Item, figure: Figure) => number | undefined,
): Difference[] {
  const own = items.find(({ candidate }) => candidate === defaultCandidate.name) ?? items[0];
  if (own === undefined) return [];
  const against = own.candidate;
  return groupsBy(items, sizeOf).flatMap((ofSize) => {
    const base = ofSize.filter(({ candidate }) => candidate === against);
    const others = ofSize.filter(({ candidate }) => candidate !== against);
    return groupsBy(others, ({ candidate }) => candidate).flatMap((group) =>
      figures.flatMap((figure): Difference[] => {
        const samples = (all: readonly Item[]) => samplesOf(all, (item) => pick(item, figure));
        const value = pairedDifference(samples(group), samples(base));
        return value === undefined
          ? []
          : [{ candidate: group[0].candidate, against, ...sizeOf(group[0]), figure, value }];
      }),
    );
  });
}

function replaySummary(replays: Group<ReplayResult>): ReplaySummary {
  const [{ candidate, kind, limit }] = replays;
  const sum = (pick: (replay: ReplayResult) => number) =>
    replays.reduce((total, one) => total + pick(one), 0);
  const rate = (count: 'misses' | 'passageMisses') =>
    averaged(replays, (one) => (100 * one[count]) / Math.max(1, one.uses)) as Average;
  const edited = replays.filter(({ edits }) => edits > 0);
  const requests = sum((one) => one.requests);
  return {
    candidate,
    kind,
    limit,
    sessions: replays.length,
    missRate: rate('misses'),
    passageMissRate: rate('passageMisses'),
    editsWhole: averaged(edited, (one) => (100 * one.editsWhole) / one.edits),
    editsBlock: averaged(edited, (one) => (100 * one.editsBlock) / one.edits),
    editViewTokens: averaged(edited, (one) => one.editViewTokens),
    cost: averaged(replays, ({ cost }) => cost) as Average,
    ...(Object.fromEntries(sums.map((name) => [name, sum((one) => one[name])])) as Pick<
      ReplaySummary,
      (typeof sums)[number]
    >),
    msPerStep: sum((one) => one.msPerStep * one.requests) / Math.max(1, requests),
  };
}
