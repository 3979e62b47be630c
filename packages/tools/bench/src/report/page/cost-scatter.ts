import * as Plot from '@observablehq/plot';
import type { ReportData } from '../report-data.js';
import { asImage } from './as-image.js';
import { choice } from './choice.js';
import { element } from './element.js';
import { figureTable } from './figure-table.js';
import { grouped } from './grouped.js';
import { placeLabels, shortName } from './label-places.js';
import { formatShare, formatWhole } from './number-format.js';
import { onResize } from './on-resize.js';
import { markerSample, type SeriesLook } from './series-look.js';

type Point = ReportData['points'][number];

/** Shows what each candidate costs and misses under a limit, and which candidates no other beats on both. */
export function mountScatter(
  root: HTMLElement,
  points: readonly Point[],
  looks: ReadonlyMap<string, SeriesLook>,
): void {
  const byLimit = grouped(points, ({ limit }) => limit).toSorted(([a], [b]) => a - b);
  const labels = byLimit.map(([limit]) => `${formatWhole(limit)} tokens`);
  const limit = choice('Limit', labels, choose);
  const chart = element('div', { class: 'chart' });
  const legend = element('ul', { class: 'legend', 'aria-label': 'Legend: candidates' });
  const table = element('div');
  let width = 0;
  const chosen = () => byLimit[limit.value()]?.[1] ?? [];

  function choose(): void {
    const rows = chosen().map(({ candidate, cost, missRate }) => ({
      isRanked: true,
      cells: [
        candidate,
        Number.isFinite(missRate) ? Number((missRate * 100).toFixed(1)) : null,
        Number.isFinite(cost) ? Number(cost.toFixed(2)) : null,
      ],
    }));
    table.replaceChildren(
      figureTable({
        title: 'Figures of cost and misses',
        columns: [
          { title: 'Candidate', term: 'candidate' },
          { title: 'Missing, %', term: 'missing', better: 'less' },
          { title: 'Cost', term: 'cost', better: 'less' },
        ],
        rows,
        sortedBy: 1,
      }),
    );
    legend.replaceChildren(...legendOf(chosen(), looks));
    draw();
  }

  function draw(): void {
    if (width > 0) chart.replaceChildren(scatterChart(chosen().filter(isKnown), width, looks));
  }

  root.append(
    element(
      'div',
      { class: 'card' },
      element('div', { class: 'controls' }, limit.field),
      chart,
      legend,
      element(
        'p',
        { class: 'note' },
        'The dashed line joins the candidates that no other beats on both. A name stands in the chart if there is room for it.',
      ),
      element('details', {}, element('summary', {}, 'The figures of this chart'), table),
    ),
  );
  choose();
  onResize(chart, (next) => {
    width = next;
    draw();
  });
}

/** The markers with their names: a name without room in the chart stands only here. */
function legendOf(points: readonly Point[], looks: ReadonlyMap<string, SeriesLook>): HTMLElement[] {
  return points.map(({ candidate }) => {
    const look = looks.get(candidate);
    return element('li', {}, ...(look ? [markerSample(look)] : []), shortName(candidate));
  });
}

function scatterChart(
  points: readonly Point[],
  width: number,
  looks: ReadonlyMap<string, SeriesLook>,
): Element {
  const [height, nameLength] = width >= 640 ? [440, 30] : [360, 16];
  const margin = { left: 56, right: 20, top: 28, bottom: 44 };
  const xDomain = domainOf(points.map(({ cost }) => cost));
  const yDomain = domainOf(points.map(({ missRate }) => missRate));
  const bounds = {
    left: margin.left,
    right: width - margin.right,
    top: margin.top,
    bottom: height - margin.bottom,
  };
  const labels = placeLabels(
    points.map(({ candidate, cost, missRate }) => ({
      name: shortName(candidate, nameLength),
      x: between(bounds.left, bounds.right, cost, xDomain),
      y: between(bounds.bottom, bounds.top, missRate, yDomain),
    })),
    bounds,
  );
  const drawn = Plot.plot({
    width,
    height,
    marginLeft: margin.left,
    marginRight: margin.right,
    marginTop: margin.top,
    marginBottom: margin.bottom,
    className: 'plot',
    ariaLabel: 'Cost against miss rate, a point for each candidate',
    ariaDescription: 'The figures of this chart stand in the table below it.',
    x: { domain: xDomain },
    y: { domain: yDomain },
    symbol: { type: 'identity' },
    marks: [
      Plot.gridY({ stroke: 'var(--grid)', strokeOpacity: 1, ticks: 6 }),
      Plot.gridX({ stroke: 'var(--grid)', strokeOpacity: 1, ticks: width / 110 }),
      Plot.axisX({
        tickSize: 0,
        ticks: width / 110,
        label: 'cost of the input, 1 is no compression →',
        labelArrow: 'none',
        labelAnchor: 'right',
      }),
      Plot.axisY({
        tickSize: 0,
        ticks: 6,
        tickFormat: formatShare,
        label: '↑ miss rate',
        labelArrow: 'none',
      }),
      Plot.line(frontier(points), {
        x: 'cost',
        y: 'missRate',
        stroke: 'var(--line-strong)',
        strokeDasharray: '4 4',
        strokeWidth: 1.5,
      }),
      ...points.flatMap((point, at) => [
        Plot.dot([point], {
          x: 'cost',
          y: 'missRate',
          r: 5.5,
          symbol: looks.get(point.candidate)?.symbol ?? 'circle',
          fill: looks.get(point.candidate)?.colour ?? 'currentColor',
          stroke: 'var(--surface)',
          strokeWidth: 1,
        }),
        labels[at] === undefined
          ? null
          : Plot.text([point], {
              x: 'cost',
              y: 'missRate',
              text: () => shortName(point.candidate, nameLength),
              className: 'strong',
              fill: 'var(--ink)',
              stroke: 'var(--surface)',
              strokeWidth: 4,
              ...labels[at],
            }),
      ]),
      Plot.tip(
        points,
        Plot.pointer({
          x: 'cost',
          y: 'missRate',
          title: ({ candidate, cost, missRate }: Point) =>
            `${candidate}\ncost ${cost.toFixed(2)}, misses ${formatShare(missRate)}`,
          fill: 'var(--surface)',
          stroke: 'var(--line-strong)',
          fontSize: 13,
        }),
      ),
    ],
  });
  return asImage(drawn);
}

/** JSON has no NaN, so a missing figure is null. */
const isKnown = ({ cost, missRate }: Point) => Number.isFinite(cost) && Number.isFinite(missRate);

/** From the cheapest to the most expensive, the points that miss less than all cheaper ones. */
function frontier(points: readonly Point[]): Point[] {
  let least = Number.POSITIVE_INFINITY;
  return points
    .toSorted((a, b) => a.cost - b.cost || a.missRate - b.missRate)
    .filter(({ missRate }) => {
      const isLess = missRate < least;
      least = Math.min(least, missRate);
      return isLess;
    });
}

/** The range of the values and some room around it, never below 0. */
function domainOf(values: readonly number[]): [number, number] {
  if (values.length === 0) return [0, 1];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const room = (high - low || Math.abs(high) || 1) * 0.14;
  return [Math.max(0, low - room), high + room];
}

function between(from: number, to: number, value: number, [low, high]: readonly [number, number]): number {
  return from + ((value - low) / (high - low)) * (to - from);
}
