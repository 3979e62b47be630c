import type { Average } from './averages.js';
import { type Work, workNames } from './kind-of-work.js';
import type { ReportCell, ReportColumn, ReportTable } from './report/report-data.js';
import type { BenchSummary, ReplaySummary, StaticSummary } from './summary.js';

const percent = (share: number) => `${share * 100} %`;
const counted = (count: number, noun: string) =>
  `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;

/** The tables of a report. One of sources or kinds of work is left out if there is only one: it would say the same again. */
export function reportTables(summary: BenchSummary): ReportTable[] {
  const shares = [...new Set(summary.overall.map(({ share }) => share))];
  const works = [...new Set(summary.byWork.map(({ work }) => work as Work))];
  const limits = [...new Set(summary.replays.map(({ limit }) => limit))];
  const sourceTable = (share: number) =>
    pivotTable(
      summary,
      summary.bySource.filter((row) => row.share === share),
      { title: 'By source', keys: summary.sources, keyOf: ({ source }) => source ?? '' },
    );
  const workTable = (share: number) =>
    pivotTable(
      summary,
      summary.byWork.filter((row) => row.share === share),
      {
        title: 'By kind of work',
        keys: works.map((work) => workNames[work]),
        keyOf: ({ work }) => workNames[work ?? 'conversation'],
      },
    );
  return [
    ...shares.map((share) => overallTable(summary, share)),
    ...limits.map((limit) => replayTable(summary, limit)),
    ...(summary.sources.length > 1 ? shares.map((share) => sourceTable(share)) : []),
    ...(works.length > 1 ? shares.map((share) => workTable(share)) : []),
  ];
}

const candidateColumn: ReportColumn = { title: 'Candidate', term: 'candidate' };

function overallTable(summary: BenchSummary, share: number): ReportTable {
  const figure = figureOf(summary);
  const rows = summary.overall.filter((row) => row.share === share);
  return {
    title: 'What is left of what the agent used next',
    choice: 'Compressed to',
    variant: percent(share),
    note: `Means in %, of ${counted(summary.cuts, 'cut')} in ${counted(summary.sessions, 'session')}.${withoutErrors(summary)}`,
    columns: [
      candidateColumn,
      { title: 'Still there', term: 'still there', better: 'more' },
      { title: 'Whole line', term: 'whole line', better: 'more' },
      { title: 'Passage', term: 'passage', better: 'more' },
      { title: 'Source known', term: 'source known', better: 'more' },
      { title: 'Long ago', term: 'long ago', better: 'more' },
      { title: 'User’s words', term: 'user’s words', better: 'more' },
      { title: 'Fits', term: 'fits', better: 'more' },
      { title: 'Valid', term: 'valid', better: 'more' },
      { title: 'Ms', term: 'ms', better: 'less' },
    ],
    rows: rows.map((row) => ({
      isRanked: isRanked(row),
      cells: [
        row.candidate,
        ...[
          ...[row.usableCtx, row.usableLine, row.usablePassage, row.usableGrounded],
          ...[row.far, row.instructions, row.inBudget, row.valid],
        ].map((average) => figure(average)),
        Number(row.ms.toFixed(1)),
      ],
    })),
    sortedBy: 1,
  };
}

function replayTable(summary: BenchSummary, limit: number): ReportTable {
  const figure = figureOf(summary);
  const rows = summary.replays.filter((row) => row.limit === limit);
  const [first] = rows;
  return {
    title: 'Whole sessions, replayed under a limit',
    choice: 'Limit',
    variant: `${limit.toLocaleString('en-US')} tokens`,
    note: `Means of ${counted(first?.sessions ?? 0, 'session')} with ${counted(first?.requests ?? 0, 'request')}; missing in %.${withoutErrors(summary)}`,
    columns: [
      candidateColumn,
      { title: 'Missing', term: 'missing', better: 'less' },
      { title: 'Passage missing', term: 'passage missing', better: 'less' },
      { title: 'Cost', term: 'cost', better: 'less' },
      { title: 'Rewrites', term: 'rewrites', better: 'less' },
      { title: 'Too large', term: 'too large', better: 'less' },
      { title: 'Invalid', term: 'invalid', better: 'less' },
      { title: 'Ms per step', term: 'ms', better: 'less' },
    ],
    rows: rows.map((row: ReplaySummary) => ({
      isRanked: isRanked(row),
      cells: [
        row.candidate,
        figure(row.missRate),
        figure(row.passageMissRate),
        figure(row.cost, 2),
        row.rewrites,
        row.overflows,
        row.invalid,
        Number(row.msPerStep.toFixed(2)),
      ],
    })),
    sortedBy: 1,
  };
}

/** A column for each source or kind of work. */
function pivotTable(
  summary: BenchSummary,
  rows: readonly StaticSummary[],
  by: { readonly title: string; readonly keys: readonly string[]; keyOf(row: StaticSummary): string },
): ReportTable {
  const figure = figureOf(summary);
  const candidates = [...new Set(rows.map(({ candidate }) => candidate))];
  const rowOf = (candidate: string, key: string) =>
    rows.find((row) => row.candidate === candidate && by.keyOf(row) === key);
  return {
    title: by.title,
    choice: 'Compressed to',
    variant: percent(rows[0]?.share ?? 0),
    note: `What is still there, means in %.${withoutErrors(summary)}`,
    columns: [
      candidateColumn,
      ...by.keys.map((key): ReportColumn => {
        const cuts = rowOf(candidates[0] ?? '', key)?.cuts ?? 0;
        return { title: `${key}, ${counted(cuts, 'cut')}`, better: 'more' };
      }),
    ],
    rows: candidates.map((candidate) => ({
      isRanked: rows.some((row) => row.candidate === candidate && isRanked(row)),
      cells: [candidate, ...by.keys.map((key) => figure(rowOf(candidate, key)?.usableCtx))],
    })),
    sortedBy: 1,
  };
}

/** Whether a candidate is a way to compress, and not a control or a bound. */
export const isRanked = ({ kind }: Pick<StaticSummary, 'kind'>): boolean =>
  kind !== 'control' && kind !== 'bound';

/** The bootstrap draws sessions of a source, so sources of one session each give no error. */
export const hasErrors = ({ sessions, sources }: BenchSummary): boolean => sessions > sources.length;

const withoutErrors = (summary: BenchSummary) =>
  hasErrors(summary) ? ' ± is the standard error.' : ' One session of a source gives no standard error.';

/** Makes a cell of an average. @param decimals of the mean */
function figureOf(summary: BenchSummary): (average: Average | undefined, decimals?: number) => ReportCell {
  return (average, decimals = 1) => {
    if (average === undefined) return null;
    const value = Number(average.mean.toFixed(decimals));
    return hasErrors(summary) ? { value, error: Number(average.error.toFixed(decimals)) } : value;
  };
}
