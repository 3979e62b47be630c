import { defaultCandidate } from './candidates/ctx.js';
import type { CutResult } from './static-cuts.js';
import type { BenchSummary, ReplaySummary, StaticSummary } from './summary.js';

const whole = (value: number) => Math.round(value).toLocaleString('en-US');
const percent = (value: number) => `${value.toFixed(value > 99 && value < 100 ? 1 : 0)} %`;
const counted = (count: number, noun: string) => `${whole(count)} ${noun}${count === 1 ? '' : 's'}`;

/** Whether a candidate is a way to compress, and not a control or a bound. */
const isRanked = ({ kind }: Pick<StaticSummary, 'kind'>): boolean => kind !== 'control' && kind !== 'bound';

/** Points of a hundred; nearer ones are called equal. */
const sameWithin = 0.05;

/** What a run found, in a few sentences: what became of how many tokens, what is still there, and which candidate is best here. */
export function headlineOf(summary: BenchSummary, cuts: readonly CutResult[]): string[] {
  const ranked = summary.overall.filter(isRanked);
  const best = bestOf(ranked);
  const [first] = best;
  return [
    ...(first === undefined
      ? []
      : [becameSentence(first, ranked, cuts, summary), bestSentence(best, ranked, summary)]),
    ...replaySentences(summary.replays.filter(isRanked)),
  ];
}

/** The names of those that keep the most, on average of all sizes. What a user gets without choosing is first. */
function bestOf(rows: readonly StaticSummary[]): string[] {
  const names = [...new Set(rows.map(({ candidate }) => candidate))];
  const scores = names.map((name) => ({ name, score: meanOf(rows, name, (row) => row.usableCtx.mean) }));
  const high = Math.max(...scores.map(({ score }) => score));
  const most = scores.filter(({ score }) => score >= high - sameWithin);
  const isDefault = (name: string) => Number(name === defaultCandidate.name);
  return most
    .map(({ name }) => ({ name, passage: meanOf(rows, name, (row) => row.usablePassage.mean) }))
    .sort((a, b) => isDefault(b.name) - isDefault(a.name) || b.passage - a.passage)
    .map(({ name }) => name);
}

function meanOf(rows: readonly StaticSummary[], name: string, pick: (row: StaticSummary) => number): number {
  const own = rows.filter(({ candidate }) => candidate === name).map(pick);
  return own.reduce((sum, one) => sum + one, 0) / Math.max(1, own.length);
}

function becameSentence(
  name: string,
  rows: readonly StaticSummary[],
  cuts: readonly CutResult[],
  summary: BenchSummary,
): string {
  const own = rows.filter(({ candidate }) => candidate === name).sort((a, b) => b.share - a.share);
  const [first, ...smaller] = own;
  const made = cuts.filter((cut) => cut.candidate === name && cut.share === first?.share);
  const mean = (pick: (cut: CutResult) => number) =>
    whole(made.reduce((total, cut) => total + pick(cut), 0) / Math.max(1, made.length));
  const before = mean(({ tokensBefore }) => tokensBefore);
  const after = mean(({ tokens }) => tokens);
  const there = percent(first?.usableCtx.mean ?? 0);
  const rest = smaller.map(({ share, usableCtx }) => `${percent(usableCtx.mean)} at ${share * 100} %`);
  const less = rest.length === 0 ? '' : ` With fewer tokens it is ${listed(rest)}.`;
  const where = `Compressed at ${counted(summary.cuts, 'place')} of ${counted(summary.sessions, 'session')}`;
  return `${where}, ${before} tokens became ${after} on average with ${name}; of what the agent used next, ${there} is there.${less}`;
}

function bestSentence(
  best: readonly string[],
  rows: readonly StaticSummary[],
  summary: BenchSummary,
): string {
  const names = [...new Set(rows.map(({ candidate }) => candidate))];
  const score = (name: string) => meanOf(rows, name, (row) => row.usableCtx.mean);
  // The bootstrap draws sessions of a source, so sources of one session each give no error.
  const error =
    summary.sessions > summary.sources.length
      ? ` (± ${meanOf(rows, best[0] ?? '', (row) => row.usableCtx.error).toFixed(1)})`
      : '';
  const others = names.filter((name) => !best.includes(name)).sort((a, b) => score(b) - score(a));
  const next = others[0] === undefined ? '' : `; ${others[0]} follows with ${percent(score(others[0]))}`;
  return `Best here: ${listed(shortened(best))}, with ${percent(score(best[0] ?? ''))}${error} on average over all sizes${next}.`;
}

/** One sentence for the smallest limit, under which most is lost. */
function replaySentences(replays: readonly ReplaySummary[]): string[] {
  const limit = Math.min(...replays.map((row) => row.limit));
  const rows = replays.filter((row) => row.limit === limit && row.overflows + row.invalid === 0);
  const [best] = rows.toSorted((a, b) => a.missRate.mean - b.missRate.mean || a.cost.mean - b.cost.mean);
  if (best === undefined) return [];
  const [cheapest] = rows.toSorted((a, b) => a.cost.mean - b.cost.mean);
  const said = (row: ReplaySummary) =>
    `${row.missRate.mean.toFixed(1)} % of what the agent used was missing, for ${percent(row.cost.mean * 100)} of the price of sending everything`;
  const other =
    cheapest === undefined || cheapest === best
      ? ''
      : ` The cheapest was ${cheapest.candidate}: ${said(cheapest)}.`;
  return [
    `Replayed with at most ${whole(limit)} tokens in a request, ${best.candidate} missed least: ${said(best)}.${other}`,
  ];
}

/** Names in a row of equals; more than that are counted. */
const mostNamed = 3;

function shortened(names: readonly string[]): string[] {
  if (names.length <= mostNamed) return [...names];
  return [...names.slice(0, mostNamed - 1), counted(names.length - mostNamed + 1, 'other')];
}

function listed(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}
