import type { ReportData } from './report/report-data.js';
import { type BenchRun, reportReplays } from './run-bench.js';
import { tablesOf } from './tables.js';

/**
 * What a report of a run shows.
 * @param createdAt ISO 8601
 */
export function reportOf({ summary, replays, timelines }: BenchRun, createdAt: string): ReportData {
  return {
    createdAt,
    tables: tablesOf(summary).map(({ title, columns, rows }) => ({
      title,
      columns,
      rows: rows.map((row) => row.map(figureOf)),
    })),
    timelines,
    replays: reportReplays(replays),
    points: summary.replays.map(({ candidate, limit, cost, missRate }) => ({
      candidate,
      limit,
      cost: cost.mean,
      missRate: missRate.mean / 100,
    })),
  };
}

/** `87.6 ± 1.2` is a figure too, and is sorted by what stands before the sign. */
function figureOf(cell: string | number): string | number {
  const value = Number(String(cell).split(' ± ')[0]);
  return Number.isNaN(value) ? cell : value;
}
