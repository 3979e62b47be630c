import type { Average } from './averages.js';
import type { Half } from './halves.js';
import { type Work, workNames } from './kind-of-work.js';
import { replayTablesOf } from './replay-tables.js';
import type { BenchSummary, StaticSummary } from './summary.js';
import { figure, percent, type Table, withError } from './table-cells.js';

/** The main table, with a row for each candidate: how much of what an agent needs it still has at each budget. */
function headlineTable(summary: BenchSummary): Table {
  const shares = sharesOf(summary.overall);
  return {
    title: 'What is left of what the agent needs next',
    columns: [
      'candidate',
      ...shares.map((share) => `usable-ctx at ${percent(share)}`),
      ...shares.map((share) => `line at ${percent(share)}`),
      ...shares.map((share) => `passage at ${percent(share)}`),
      ...shares.map((share) => `grounded at ${percent(share)}`),
      ...shares.map((share) => `far at ${percent(share)}`),
    ],
    rows: byCandidate(summary.overall).map(([candidate, rows]) => [
      candidate,
      ...rows.map(({ usableCtx }) => withError(usableCtx)),
      ...rows.map(({ usableLine }) => figure(usableLine)),
      ...rows.map(({ usablePassage }) => figure(usablePassage)),
      ...rows.map(({ usableGrounded }) => figure(usableGrounded)),
      ...rows.map(({ far }) => figure(far)),
    ]),
  };
}

/** Whether the result can be sent at all, and how many of the user's words it holds. */
function soundnessTable(summary: BenchSummary): Table {
  const shares = sharesOf(summary.overall);
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

/** Two figures of each kind of work, at all budgets. */
function workTable(summary: BenchSummary): Table {
  const works = [...new Set(summary.byWork.map(({ work }) => work as Work))];
  return partsTable(
    summary,
    'kind of work',
    works.map((work) => [workNames[work], summary.byWork.filter((row) => row.work === work)]),
  );
}

/** Two figures of each part of the cuts, at all budgets. */
function partsTable(
  summary: BenchSummary,
  what: string,
  parts: readonly (readonly [name: string, rows: readonly StaticSummary[]])[],
): Table {
  const cell = (rows: readonly StaticSummary[], pick: (row: StaticSummary) => Average) =>
    rows.map((row) => figure(pick(row))).join(' / ');
  return {
    title: `By ${what}, at ${sharesOf(summary.overall).map(percent).join(' / ')}`,
    columns: ['candidate', ...parts.flatMap(([name]) => [`${name}: usable-ctx`, `${name}: passage`])],
    rows: byCandidate(summary.overall).map(([candidate]) => [
      candidate,
      ...parts.flatMap(([, rows]) => {
        const own = rows.filter((row) => row.candidate === candidate);
        return [cell(own, ({ usableCtx }) => usableCtx), cell(own, ({ usablePassage }) => usablePassage)];
      }),
    ]),
  };
}

const halfNames: Readonly<Record<Half, string>> = {
  tune: 'the half that constants were tried on',
  report: 'the other half',
};

/** Whether what was found on one half of the sessions holds on the other. */
function halfTable(summary: BenchSummary): Table {
  const halves = Object.keys(halfNames) as Half[];
  return partsTable(
    summary,
    'half of the sessions',
    halves.map((half) => [halfNames[half], summary.byHalf.filter((row) => row.half === half)]),
  );
}

/** Every figure of a candidate by source and over all, a table for each candidate. For trying things. */
export function tablesBySource(summary: BenchSummary): Table[] {
  return byCandidate(summary.overall).map(([candidate, overall]) => ({
    title: candidate,
    columns: [
      'source',
      'to',
      'cuts',
      'usable-ctx',
      'line',
      'passage',
      'far',
      'grounded',
      'instructions',
      'in budget',
      'valid',
      'ms',
    ],
    rows: [
      ...summary.bySource.filter((row) => row.candidate === candidate),
      ...summary.byWork
        .filter((row) => row.candidate === candidate && row.work !== 'coding')
        .map((row) => ({ ...row, source: workNames[row.work as Work] })),
      ...overall.map((row) => ({ ...row, source: 'all sources' })),
    ].map((row) => [
      row.source ?? '',
      percent(row.share),
      row.cuts,
      ...[row.usableCtx, row.usableLine, row.usablePassage, row.far, row.usableGrounded].map(figure),
      ...[row.instructions, row.inBudget, row.valid].map(figure),
      row.ms.toFixed(1),
    ]),
  }));
}

/** One session in the width of a terminal: what is left at each budget, then a replay in the largest window in which it is compressed. */
export function sessionTable(summary: BenchSummary): Table {
  const limit = Math.max(...summary.replays.map((row) => row.limit));
  const replays = summary.replays.filter((row) => row.limit === limit);
  const meanOf = (rows: readonly StaticSummary[]) =>
    rows.reduce((sum, { usableCtx }) => sum + usableCtx.mean, 0) / rows.length;
  const rows = byCandidate(summary.overall).sort(([, a], [, b]) => meanOf(b) - meanOf(a));
  return {
    title: 'What is left of what the agent used next, in %',
    columns: [
      'candidate',
      ...sharesOf(summary.overall).map((share) => `at ${percent(share)}`),
      ...(replays.length === 0
        ? []
        : [`misses in ${limit.toLocaleString('en-US')} tokens`, 'cost', 'invalid']),
    ],
    rows: rows.map(([candidate, own]) => {
      const replay = replays.find((row) => row.candidate === candidate);
      const cells =
        replay === undefined
          ? ['–', '–', '–']
          : [replay.missRate.mean.toFixed(1), replay.cost.mean.toFixed(2), replay.invalid];
      return [
        candidate,
        ...own.map(({ usableCtx }) => figure(usableCtx)),
        ...(replays.length === 0 ? [] : cells),
      ];
    }),
  };
}

/** Every table of a run, the most important first. */
export function tablesOf(summary: BenchSummary): Table[] {
  return [
    headlineTable(summary),
    soundnessTable(summary),
    ...sharesOf(summary.overall).map((share) => sourceTable(summary, share)),
    workTable(summary),
    halfTable(summary),
    ...replayTablesOf(summary),
  ];
}

function sharesOf(rows: readonly StaticSummary[]): number[] {
  return [...new Set(rows.map(({ share }) => share))];
}

function byCandidate(rows: readonly StaticSummary[]): [string, StaticSummary[]][] {
  const names = [...new Set(rows.map(({ candidate }) => candidate))];
  return names.map((name) => [name, rows.filter(({ candidate }) => candidate === name)]);
}
