import type { ReportData } from '../src/report/report-data.js';

export const emptyReport: ReportData = {
  createdAt: '2026-07-01T09:30:00.000Z',
  sessions: 0,
  candidates: 0,
  headline: [],
  tables: [],
};

/** Texts that would run if they were treated as markup. */
export const hostileText =
  '</script><img src=x onerror="globalThis.harmed = true"><!--<script>globalThis.harmed = true;';

export function hostileReport(): ReportData {
  return {
    ...emptyReport,
    createdAt: hostileText,
    headline: [hostileText],
    tables: [
      {
        title: hostileText,
        variant: hostileText,
        note: hostileText,
        columns: [{ title: hostileText }, { title: 'Usable', better: 'more' }],
        rows: [{ cells: [hostileText, 1], isRanked: true }],
      },
    ],
  };
}
