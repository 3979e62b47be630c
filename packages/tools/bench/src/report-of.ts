import { createHash } from 'node:crypto';
import { headlineOf } from './headline.js';
import type { ReportData } from './report/report-data.js';
import { reportTables } from './report-tables.js';
import { type BenchRun, reportReplays } from './run-bench.js';

/**
 * The contents of a run's report.
 * @param createdAt ISO 8601
 */
export function reportOf({ summary, cuts, replays, timelines }: BenchRun, createdAt: string): ReportData {
  return {
    createdAt,
    headline: headlineOf(summary, cuts),
    tables: reportTables(summary),
    timelines: timelines.map(named),
    replays: reportReplays(replays).map(named),
    points: summary.replays.map(({ candidate, limit, cost, missRate }) => ({
      candidate,
      limit,
      cost: cost.mean,
      missRate: missRate.mean / 100,
    })),
  };
}

/** Characters: two lines of a report's heading. */
const nameLength = 160;

/** A session file may call itself whatever it likes, at any length. */
function named<One extends { readonly session: string; readonly source: string }>(one: One): One {
  return { ...one, session: shortened(one.session), source: shortened(one.source) };
}

/** The start of a long name, with a digest of all of it, so that two names stay two. */
function shortened(name: string): string {
  if (name.length <= nameLength) return name;
  return `${name.slice(0, nameLength)}… #${createHash('sha256').update(name).digest('hex').slice(0, 8)}`;
}
