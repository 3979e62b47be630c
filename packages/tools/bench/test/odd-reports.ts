import type { ReportAbout } from '../src/report/render-report.js';
import type { Table } from '../src/table-cells.js';

export const emptyAbout: ReportAbout = {
  createdAt: '2026-07-01T09:30:00.000Z',
  sessions: 0,
  candidates: 0,
};

/** Texts that would run if they were treated as markup. */
export const hostileText =
  '</script><img src=x onerror="globalThis.harmed = true"><!--<script>globalThis.harmed = true;';

export const hostileAbout: ReportAbout = { ...emptyAbout, createdAt: hostileText };

export const hostileTables: readonly Table[] = [
  { title: hostileText, columns: [hostileText, 'cost'], rows: [[hostileText, 1]] },
];
