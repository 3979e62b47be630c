import * as Plot from '@observablehq/plot';
import type { CandidateSteps, SessionReport } from '../../session-data.js';
import { asImage } from '../as-image.js';
import { element } from '../element.js';
import { formatShort } from '../number-format.js';

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
  const chart = Plot.plot({
    width,
    height: 150,
    marginLeft: margin.left,
    marginRight: margin.right,
    marginTop: margin.top,
    marginBottom: margin.bottom,
    className: 'plot',
    ariaLabel: 'Tokens of each request; triangles mark requests for which something was missing',
    x: { domain: [1, last] },
    y: { domain: [0, top] },
    marks: [
      Plot.gridY({ stroke: 'var(--grid)', strokeOpacity: 1, ticks: 3 }),
      Plot.axisY({ tickSize: 0, ticks: 3, tickFormat: formatShort, label: '↑ tokens', labelArrow: 'none' }),
      Plot.axisX({ tickSize: 0, ticks: Math.max(2, Math.floor(width / 110)), label: null }),
      Plot.areaY(points, { x: 'step', y: 'tokens', fill: 'var(--kept)', fillOpacity: 0.3, curve: 'step' }),
      Plot.lineY(points, { x: 'step', y: 'tokens', stroke: 'var(--kept)', strokeWidth: 1.5, curve: 'step' }),
      Plot.ruleY([report.limit], { stroke: 'var(--limit)', strokeDasharray: '5 4', strokeWidth: 1.5 }),
      Plot.dot(
        points.filter(({ missed }) => missed > 0),
        { x: 'step', y: top * 0.04, symbol: 'triangle', r: 4, fill: 'var(--limit)' },
      ),
    ],
  });
  const needle = element('div', { class: 'needle', 'aria-hidden': 'true' });
  const plotted = width - margin.left - margin.right;
  return {
    root: element('div', { class: 'strip' }, asImage(chart), needle),
    mark(at) {
      needle.style.transform = `translateX(${margin.left + (at / (last - 1)) * plotted}px)`;
    },
    stepAt: (x) =>
      Math.max(0, Math.min(tokens.length - 1, Math.round(((x - margin.left) / plotted) * (last - 1)))),
  };
}
