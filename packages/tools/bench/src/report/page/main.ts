/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import type { PageData } from '../page-data.js';
import type { ReportData } from '../report-data.js';
import { mountScatter } from './cost-scatter.js';
import { seriesLooks } from './series-look.js';
import { mountComparison } from './session/compare.js';
import { mountDebugger } from './session/debugger.js';
import { mountOwnSession } from './session/own-session.js';
import { packedSource } from './session/session-source.js';
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
const { report, session }: PageData = JSON.parse(json) ?? {};
const source = session && packedSource(session);
for (const root of document.querySelectorAll<HTMLElement>('[data-mount]')) {
  const id = root.dataset.mount ?? '';
  if (id === 'own') mountOwnSession(root);
  else if (report) mounts[id]?.(root, report);
  else if (source && id === 'steps') void mountDebugger(root, source);
  else if (session && id === 'compare') mountComparison(root, session);
}
explainTerms();
