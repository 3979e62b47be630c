/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import type { ReportData } from '../report-data.js';
import { mountScatter } from './cost-scatter.js';
import { element } from './element.js';
import { figureTable } from './figure-table.js';
import { seriesLooks } from './series-look.js';
import { mountTimelines } from './timelines.js';
import { mountCurves } from './token-curves.js';

type Mount = (root: HTMLElement, data: ReportData) => void;

const looksOf = ({ points, replays }: ReportData) =>
  seriesLooks([...points, ...replays].map(({ candidate }) => candidate));

const mounts: Record<string, Mount> = {
  scores: (root, { tables }) => {
    for (const table of tables) root.append(element('div', { class: 'card' }, figureTable(table)));
  },
  timelines: (root, { timelines }) => mountTimelines(root, timelines),
  curves: (root, data) => mountCurves(root, data.replays, looksOf(data)),
  'trade-off': (root, data) => mountScatter(root, data.points, looksOf(data)),
};

const json = document.getElementById('report-data')?.textContent ?? 'null';
const data: ReportData | null = JSON.parse(json);
if (data) {
  for (const root of document.querySelectorAll<HTMLElement>('[data-mount]')) {
    mounts[root.dataset.mount ?? '']?.(root, data);
  }
}
