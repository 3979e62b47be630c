import type { ReportData } from '../src/report/report-data.js';

export const emptyReport: ReportData = {
  createdAt: '2026-07-01T09:30:00.000Z',
  headline: [],
  tables: [],
  timelines: [],
  replays: [],
  points: [],
};

/** Texts that would run if they were treated as markup. */
export const hostileText =
  '</script><img src=x onerror="globalThis.harmed = true"><!--<script>globalThis.harmed = true;';

export function hostileReport(): ReportData {
  const message = { role: 'user', label: hostileText, tokens: 10, text: hostileText } as const;
  const fate = { outcome: 'truncated', tokens: 4, after: hostileText, reason: hostileText } as const;
  const names = { session: hostileText, source: hostileText };
  return {
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
    timelines: [
      {
        ...names,
        share: 0.5,
        messages: [message],
        candidates: [
          {
            candidate: hostileText,
            tokens: 4,
            usableCtx: 50,
            isRanked: true,
            fates: [fate],
            added: [message],
          },
        ],
      },
    ],
    replays: [
      {
        ...names,
        limit: 100,
        candidate: hostileText,
        tokens: [10, 20],
        rewrites: 0,
        missRate: 0.1,
        cost: 0.5,
      },
    ],
    points: [{ candidate: hostileText, limit: 100, cost: 0.5, missRate: 0.1 }],
  };
}
