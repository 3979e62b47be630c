import type { ReportAbout } from '../src/report/render-report.js';
import type { Table } from '../src/table-cells.js';

const candidates = ['none', 'oldest-removal', 'hybrid', 'file-folding', 'condense'];

/** What a report of replays under two limits with five candidates says. */
export const sampleAbout: ReportAbout = {
  createdAt: '2026-07-01T09:30:00.000Z',
  sessions: 2,
  candidates: candidates.length,
};

export const sampleTables: readonly Table[] = [32_000, 64_000].map((limit) => ({
  title: `Replay under ${limit} tokens`,
  columns: ['candidate', 'misses %', 'passage misses %', 'cost', 'rewrites', 'overflows', 'invalid views'],
  rows: candidates.map((name, at) => [name, `${at * 3.1} ± 1.2`, at * 4.2, 0.5 + at / 10, at * 3, 0, '–']),
}));
