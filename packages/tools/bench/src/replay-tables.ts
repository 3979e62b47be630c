import type { BenchSummary, ReplaySummary } from './summary.js';
import { figure, type Table, withError } from './table-cells.js';

const figureOf = (tokens: number) => tokens.toLocaleString('en-US');

/** A whole session under one limit. */
function replayTable(summary: BenchSummary, limit: number): Table {
  const rows = summary.replays.filter((row) => row.limit === limit);
  return {
    title: `Replay under ${limit.toLocaleString('en-US')} tokens`,
    columns: [
      'candidate',
      'misses %',
      'passage misses %',
      'cost',
      'overflows',
      'invalid views',
      'rewrites',
      'requests',
      'ms per step',
    ],
    rows: rows.map((row: ReplaySummary) => [
      row.candidate,
      withError(row.missRate),
      figure(row.passageMissRate),
      row.cost.mean.toFixed(2),
      row.overflows,
      row.invalid,
      row.rewrites,
      row.requests,
      row.msPerStep.toFixed(2),
    ]),
  };
}

/** Whether what an agent edits, and what it has not read yet, is in the view. */
function editTable(summary: BenchSummary, limit: number): Table {
  const same = summary.sameView.filter(({ limitOfOurs }) => limitOfOurs === limit);
  const rows = [
    ...summary.replays.filter((row) => row.limit === limit),
    ...same.map((row) => ({ ...row, candidate: `${row.candidate}, ${figureOf(row.limit)} tokens` })),
  ];
  return {
    title: `Edits and first looks under ${limit.toLocaleString('en-US')} tokens`,
    columns: [
      'candidate',
      'edits whole %',
      'edits block %',
      'edits',
      'mean view at edits',
      'misses %',
      'cost',
      'first look whole',
      'of',
    ],
    rows: rows.map((row) => [
      row.candidate,
      ...[row.editsWhole, row.editsBlock].map((one) => (one === undefined ? '–' : withError(one))),
      row.edits,
      row.editViewTokens === undefined ? '–' : Math.round(row.editViewTokens.mean),
      row.missRate.mean.toFixed(1),
      row.cost.mean.toFixed(2),
      row.looksWhole,
      row.looks,
    ]),
  };
}

/** The tables of the replays alone, for each limit. */
export function replayTablesOf(summary: BenchSummary): Table[] {
  const limits = [...new Set(summary.replays.map(({ limit }) => limit))];
  return limits.flatMap((limit) => [replayTable(summary, limit), editTable(summary, limit)]);
}
