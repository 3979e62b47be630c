import { grouped } from './averages.js';
import type { BenchSummary, Difference, StaticSummary } from './summary.js';
import {
  type Cell,
  type Column,
  figure,
  percent,
  signed,
  type Table,
  tableOf,
  tokensText,
  valuesOf,
  withError,
} from './table.js';

/** A candidate with its summaries, one for each budget. */
type Row = readonly [candidate: string, summaries: readonly StaticSummary[]];

const named: Column<Row> = ['candidate', ([candidate]) => candidate];

/** A column for each budget. */
const atShares = (summary: BenchSummary, name: string, cell: (row: StaticSummary) => Cell) =>
  sharesOf(summary).map((share, at): Column<Row> => {
    const head = `${name} at ${percent(share)}`.trimStart();
    return [head, ([, rows]) => (rows[at] === undefined ? '–' : cell(rows[at]))];
  });

/** The main table, with a row for each candidate: how much of what an agent needs it still has at each budget. */
function headlineTable(summary: BenchSummary): Table {
  return tableOf('What is left of what the agent needs next', byCandidate(summary.overall), [
    named,
    ...atShares(summary, 'usable-ctx', ({ usableCtx }) => withError(usableCtx)),
    ...atShares(summary, 'passage', ({ usablePassage }) => figure(usablePassage)),
    ...atShares(summary, 'far', ({ far }) => figure(far)),
  ]);
}

/** Whether the result can be sent at all, and how many of the user's words it holds. */
function soundnessTable(summary: BenchSummary): Table {
  const title = 'In budget, valid, and with the user’s messages verbatim';
  return tableOf(title, byCandidate(summary.overall), [
    named,
    ...atShares(summary, 'in budget', ({ inBudget }) => figure(inBudget)),
    ['valid', ([, rows]) => Math.min(...rows.map(({ valid }) => valid.mean)).toFixed(1)],
    ...atShares(summary, 'instructions', ({ instructions }) => figure(instructions)),
    ['ms', ([, rows]) => Math.max(...rows.map(({ ms }) => ms)).toFixed(1)],
  ]);
}

/** Usable-ctx at one budget, a column for each source. */
function sourceTable(summary: BenchSummary, share: number): Table {
  const rows = summary.bySource.filter((row) => row.share === share);
  return tableOf(`Usable-ctx at ${percent(share)}, by source`, byCandidate(rows), [
    named,
    ...summary.sources.map((source): Column<Row> => {
      return [source, ([, own]) => figure(own.find((row) => row.source === source)?.usableCtx)];
    }),
  ]);
}

/** A whole session under one limit. */
function replayTable(summary: BenchSummary, limit: number): Table {
  return tableOf(`Replay under ${tokensText(limit)} tokens`, replaysUnder(summary, limit), [
    ['candidate', (row) => row.candidate],
    ['misses %', (row) => withError(row.missRate)],
    ['passage misses %', (row) => figure(row.passageMissRate)],
    ['cost', (row) => figure(row.cost, 2)],
    ['overflows', (row) => row.overflows],
    ['invalid views', (row) => row.invalid],
    ['rewrites', (row) => row.rewrites],
    ['requests', (row) => row.requests],
    ['ms per step', (row) => row.msPerStep.toFixed(2)],
  ]);
}

/** Whether what an agent edits, and what it has not read yet, is in the view. */
function editTable(summary: BenchSummary, limit: number): Table {
  return tableOf(`Edits and first looks under ${tokensText(limit)} tokens`, replaysUnder(summary, limit), [
    ['candidate', (row) => row.candidate],
    ['edits whole %', (row) => withError(row.editsWhole)],
    ['edits block %', (row) => withError(row.editsBlock)],
    ['edits', (row) => row.edits],
    ['mean view at edits', (row) => figure(row.editViewTokens, 0)],
    ['misses %', (row) => figure(row.missRate)],
    ['cost', (row) => figure(row.cost, 2)],
    ['first look whole', (row) => row.looksWhole],
    ['of', (row) => row.looks],
  ]);
}

/** The tables of the replays alone, for each limit. */
export function replayTablesOf(summary: BenchSummary): Table[] {
  return valuesOf(summary.replays, ({ limit }) => limit).flatMap((limit) => [
    replayTable(summary, limit),
    editTable(summary, limit),
  ]);
}

/** One session in the width of a terminal: what is left at each budget, then a replay in the largest window in which it is compressed. */
export function sessionTable(summary: BenchSummary): Table {
  const limit = Math.max(...summary.replays.map((row) => row.limit));
  const replays = replaysUnder(summary, limit);
  const sumOf = (rows: readonly StaticSummary[]) =>
    rows.reduce((sum, { usableCtx }) => sum + usableCtx.mean, 0);
  const rows = byCandidate(summary.overall).sort(([, a], [, b]) => sumOf(b) - sumOf(a));
  const replayOf = ([candidate]: Row) => replays.find((row) => row.candidate === candidate);
  const ofReplays: readonly Column<Row>[] = [
    [`misses in ${tokensText(limit)} tokens`, (row) => figure(replayOf(row)?.missRate)],
    ['cost', (row) => figure(replayOf(row)?.cost, 2)],
    ['invalid', (row) => replayOf(row)?.invalid ?? '–'],
  ];
  return tableOf('What is left of what the agent used next, in %', rows, [
    named,
    ...atShares(summary, '', ({ usableCtx }) => figure(usableCtx)),
    ...(replays.length === 0 ? [] : ofReplays),
  ]);
}

/** What separates the candidates from the default pipeline, paired by session: what a change is judged by. */
function differenceTable({ differences }: BenchSummary): Table {
  const title = `Difference to ${differences[0]?.against ?? 'the first'}, paired by session`;
  const rows = [...grouped(differences, ({ candidate }) => candidate)];
  return tableOf(title, rows, [
    ['candidate', ([candidate]) => candidate],
    ['sessions', ([, own]) => Math.max(...own.map(({ value }) => value.sessions))],
    ...valuesOf(differences, columnOf).map((column): Column<(typeof rows)[number]> => {
      return [column, ([, own]) => signed(own.find((one) => columnOf(one) === column)?.value)];
    }),
  ]);
}

const columnOf = ({ figure, share, limit }: Difference) =>
  share === undefined ? `${figure} in ${tokensText(limit ?? 0)}` : `${figure} at ${percent(share)}`;

/** Every table of a run, the most important first. */
export function tablesOf(summary: BenchSummary): Table[] {
  return [
    headlineTable(summary),
    soundnessTable(summary),
    ...(summary.differences.length === 0 ? [] : [differenceTable(summary)]),
    ...sharesOf(summary).map((share) => sourceTable(summary, share)),
    ...replayTablesOf(summary),
  ];
}

const replaysUnder = ({ replays }: BenchSummary, limit: number) =>
  replays.filter((row) => row.limit === limit);
const sharesOf = ({ overall }: BenchSummary) => valuesOf(overall, ({ share }) => share);

const byCandidate = (rows: readonly StaticSummary[]): Row[] => [
  ...grouped(rows, ({ candidate }) => candidate),
];
