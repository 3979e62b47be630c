import type { BenchSummary, Difference, StaticSummary } from './summary.js';
import { figure, percent, signed, type Table, tokensText, valuesOf, withError } from './table.js';

/** The main table, with a row for each candidate: how much of what an agent needs it still has at each budget. */
function headlineTable(summary: BenchSummary): Table {
  const shares = sharesOf(summary);
  return {
    title: 'What is left of what the agent needs next',
    columns: [
      'candidate',
      ...['usable-ctx', 'passage', 'far'].flatMap((name) =>
        shares.map((share) => `${name} at ${percent(share)}`),
      ),
    ],
    rows: byCandidate(summary.overall).map(([candidate, rows]) => [
      candidate,
      ...rows.map(({ usableCtx }) => withError(usableCtx)),
      ...rows.map(({ usablePassage }) => figure(usablePassage)),
      ...rows.map(({ far }) => figure(far)),
    ]),
  };
}

/** Whether the result can be sent at all, and how many of the user's words it holds. */
function soundnessTable(summary: BenchSummary): Table {
  const shares = sharesOf(summary);
  return {
    title: 'In budget, valid, and with the user’s messages verbatim',
    columns: [
      'candidate',
      ...shares.map((share) => `in budget at ${percent(share)}`),
      'valid',
      ...shares.map((share) => `instructions at ${percent(share)}`),
      'ms',
    ],
    rows: byCandidate(summary.overall).map(([candidate, rows]) => [
      candidate,
      ...rows.map(({ inBudget }) => figure(inBudget)),
      Math.min(...rows.map(({ valid }) => valid.mean)).toFixed(1),
      ...rows.map(({ instructions }) => figure(instructions)),
      Math.max(...rows.map(({ ms }) => ms)).toFixed(1),
    ]),
  };
}

/** Usable-ctx at one budget, a column for each source. */
function sourceTable(summary: BenchSummary, share: number): Table {
  const rows = summary.bySource.filter((row) => row.share === share);
  return {
    title: `Usable-ctx at ${percent(share)}, by source`,
    columns: ['candidate', ...summary.sources],
    rows: byCandidate(rows).map(([candidate, ofCandidate]) => [
      candidate,
      ...summary.sources.map((source) => figure(ofCandidate.find((row) => row.source === source)?.usableCtx)),
    ]),
  };
}

/** A whole session under one limit. */
function replayTable(summary: BenchSummary, limit: number): Table {
  return {
    title: `Replay under ${tokensText(limit)} tokens`,
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
    rows: replaysUnder(summary, limit).map((row) => [
      row.candidate,
      withError(row.missRate),
      figure(row.passageMissRate),
      figure(row.cost, 2),
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
  return {
    title: `Edits and first looks under ${tokensText(limit)} tokens`,
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
    rows: replaysUnder(summary, limit).map((row) => [
      row.candidate,
      withError(row.editsWhole),
      withError(row.editsBlock),
      row.edits,
      figure(row.editViewTokens, 0),
      figure(row.missRate),
      figure(row.cost, 2),
      row.looksWhole,
      row.looks,
    ]),
  };
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
  return {
    title: 'What is left of what the agent used next, in %',
    columns: [
      'candidate',
      ...sharesOf(summary).map((share) => `at ${percent(share)}`),
      ...(replays.length === 0 ? [] : [`misses in ${tokensText(limit)} tokens`, 'cost', 'invalid']),
    ],
    rows: rows.map(([candidate, own]) => {
      const replay = replays.find((row) => row.candidate === candidate);
      const cells = [figure(replay?.missRate), figure(replay?.cost, 2), replay?.invalid ?? '–'];
      return [
        candidate,
        ...own.map(({ usableCtx }) => figure(usableCtx)),
        ...(replays.length === 0 ? [] : cells),
      ];
    }),
  };
}

/** What separates the candidates from the default pipeline, paired by session: what a change is judged by. */
function differenceTable({ differences }: BenchSummary): Table {
  const columns = new Map(differences.map((one) => [columnOf(one), one]));
  return {
    title: `Difference to ${differences[0]?.against ?? 'the first'}, paired by session`,
    columns: ['candidate', 'sessions', ...columns.keys()],
    rows: valuesOf(differences, ({ candidate }) => candidate).map((candidate) => {
      const own = differences.filter((one) => one.candidate === candidate);
      return [
        candidate,
        Math.max(...own.map(({ value }) => value.sessions)),
        ...[...columns.keys()].map((column) => signed(own.find((one) => columnOf(one) === column)?.value)),
      ];
    }),
  };
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

function byCandidate(rows: readonly StaticSummary[]): [string, StaticSummary[]][] {
  return valuesOf(rows, ({ candidate }) => candidate).map((name) => [
    name,
    rows.filter(({ candidate }) => candidate === name),
  ]);
}
