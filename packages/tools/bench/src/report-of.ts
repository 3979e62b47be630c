import { headlineOf } from './headline.js';
import type { ReportData } from './report/report-data.js';
import { reportTables } from './report-tables.js';
import type { BenchRun } from './run-bench.js';

/**
 * The contents of a run's report.
 * @param createdAt ISO 8601
 */
export function reportOf({ summary, cuts }: BenchRun, createdAt: string): ReportData {
  const names = [...summary.overall, ...summary.replays].map(({ candidate }) => candidate);
  return {
    createdAt,
    sessions: summary.sessions,
    candidates: new Set(names).size,
    headline: headlineOf(summary, cuts),
    tables: reportTables(summary),
  };
}
