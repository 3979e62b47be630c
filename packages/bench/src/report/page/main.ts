/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import type { PageData } from '../page-data.js';
import type { ReportData } from '../report-data.js';
import { mountScatter } from './cost-scatter.js';
import { seriesLooks } from './series-look.js';
import { mountTables } from './table-choice.js';
import { explainTerms } from './term-mark.js';
import { mountTimelines } from './timelines.js';
import { mountCurves } from './token-curves.js';

type Mount = (root: HTMLElement, report: ReportData) => void;

const looksOf = ({ points, replays }: ReportData) =>
  seriesLooks([...points, ...replays].map(({ candidate }) => candidate));

const mounts: Record<string, Mount> = {
  timelines: (root, { timelines }) => mountTimelines(root, timelines),
  scores: (root, { tables }) => mountTables(root, tables),
  curves: (root, report) => mountCurves(root, report.replays, looksOf(report)),
  'trade-off': (root, report) => mountScatter(root, report.points, looksOf(report)),
};

const json = document.getElementById('report-data')?.textContent ?? 'null';
const data: PageData | null = JSON.parse(json);
for (const root of document.querySelectorAll<HTMLElement>('[data-mount]')) {
  if (data?.report) mounts[root.dataset.mount ?? '']?.(root, data.report);
}
explainTerms();
