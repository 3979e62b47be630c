import type { CandidateSteps, SessionReport } from '../../session-data.js';
import { element, svgElement } from '../element.js';
import { formatShort } from '../number-format.js';

/** Pixels: tall enough to see a rewrite, and low enough that the step below it is in sight. */
const height = 150;
const margin = { left: 44, right: 12, top: 18, bottom: 24 };

/** Tokens of each request of one candidate, with what was missing and where it rewrote, and a line at the step. */
export function stepStrip(
  report: SessionReport,
  candidate: number,
  steps: CandidateSteps,
  width: number,
): { readonly root: HTMLElement; mark(at: number): void; stepAt(x: number): number } {
  const tokens = report.candidates[candidate]?.tokens ?? [];
  const last = Math.max(2, tokens.length);
  const top = Math.max(report.limit, ...tokens) * 1.1;
  const points = tokens.map((value, at) => ({
    step: at + 1,
    tokens: value,
    missed: steps.missed[at]?.length ?? 0,
  }));
  const plotted = width - margin.left - margin.right;
  const x = (step: number) => margin.left + ((step - 1) / (last - 1)) * plotted;
  const y = (value: number) => margin.top + (1 - value / top) * (height - margin.top - margin.bottom);
  const line = points.map(
    ({ step, tokens: value }, at) => `${at === 0 ? 'M' : 'H'}${x(step)}${at === 0 ? ',' : 'V'}${y(value)}`,
  );
  const across = (value: number, look: Record<string, string>) =>
    svgElement('line', { x1: margin.left, x2: width - margin.right, y1: y(value), y2: y(value), ...look });
  const label = (value: number) =>
    svgElement('text', { x: margin.left - 6, y: y(value) + 4, 'text-anchor': 'end' }, formatShort(value));
  const base = y(0);
  const chart = svgElement(
    'svg',
    {
      class: 'plot',
      width,
      height,
      role: 'img',
      'aria-label': 'Tokens of each request; triangles mark requests for which something was missing',
    },
    ...[0, report.limit / 2, report.limit].flatMap((value) => [
      across(value, { stroke: 'var(--grid)' }),
      label(value),
    ]),
    svgElement('path', {
      d: `${line.join('')}V${base}H${margin.left}Z`,
      fill: 'var(--kept)',
      'fill-opacity': 0.3,
    }),
    svgElement('path', { d: line.join(''), fill: 'none', stroke: 'var(--kept)', 'stroke-width': 1.5 }),
    across(report.limit, { stroke: 'var(--limit)', 'stroke-dasharray': '5 4', 'stroke-width': '1.5' }),
    ...points
      .filter(({ missed }) => missed > 0)
      .map(({ step }) => svgElement('path', { d: `M${x(step)},${base - 10}l4,7h-8z`, fill: 'var(--limit)' })),
    ...ends(width, tokens.length),
  );
  const needle = element('div', { class: 'needle', 'aria-hidden': 'true' });
  return {
    root: element('div', { class: 'strip' }, chart, needle),
    mark(at) {
      needle.style.transform = `translateX(${margin.left + (at / (last - 1)) * plotted}px)`;
    },
    stepAt: (x) =>
      Math.max(0, Math.min(tokens.length - 1, Math.round(((x - margin.left) / plotted) * (last - 1)))),
  };
}

/** What the axis says at its ends. */
function ends(width: number, requests: number): SVGElement[] {
  const y = height - 6;
  return [
    svgElement('text', { x: margin.left, y }, 'request 1'),
    svgElement('text', { x: width - margin.right, y, 'text-anchor': 'end' }, formatShort(requests)),
  ];
}
