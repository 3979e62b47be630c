import * as Plot from '@observablehq/plot';
import type { ReportReplay } from '../report-data.js';
import { asImage } from './as-image.js';
import { checkboxes, choice } from './choice.js';
import { element } from './element.js';
import { figureTable } from './figure-table.js';
import { grouped } from './grouped.js';
import { shortName, spreadApart } from './label-places.js';
import { formatShort, formatWhole } from './number-format.js';
import { onResize } from './on-resize.js';
import { lineSample, type SeriesLook } from './series-look.js';

/** Shows the tokens of each request of a replayed session, a line for each candidate. */
export function mountCurves(
  root: HTMLElement,
  replays: readonly ReportReplay[],
  looks: ReadonlyMap<string, SeriesLook>,
): void {
  const titleOf = ({ session, source }: ReportReplay) => `${session} (${source})`;
  const sessions = grouped(replays, titleOf);
  const hidden = new Set<string>();
  const session = choice(
    'Session',
    sessions.map(([title]) => title),
    chooseSession,
  );
  const limit = choice('Limit', [], chooseLimit);
  const checks = element('div');
  const chart = element('div', { class: 'chart' });
  const table = element('div');
  let width = 0;

  const limits = () => [...new Set((sessions[session.value()]?.[1] ?? []).map((replay) => replay.limit))];
  const chosen = () => {
    const tokens = limits()[limit.value()];
    return (sessions[session.value()]?.[1] ?? []).filter((replay) => replay.limit === tokens);
  };

  function chooseSession(): void {
    limit.setOptions(limits().map((tokens) => `${formatWhole(tokens)} tokens`));
    chooseLimit();
  }

  function chooseLimit(): void {
    const names = chosen().map(({ candidate }) => candidate);
    const sample = (name: string) => {
      const look = looks.get(name);
      return look ? [lineSample(look)] : [];
    };
    checks.replaceChildren(checkboxes('Candidates', names, hidden, draw, sample));
    table.replaceChildren(figuresOf(chosen()));
    draw();
  }

  function draw(): void {
    const shown = chosen().filter(({ candidate }) => !hidden.has(candidate));
    if (width > 0) chart.replaceChildren(curveChart(shown, limits()[limit.value()] ?? 0, width, looks));
  }

  root.append(
    element(
      'div',
      { class: 'card' },
      element('div', { class: 'controls' }, session.field, limit.field, checks),
      chart,
      element('details', {}, element('summary', {}, 'The figures of this chart'), table),
    ),
  );
  chooseSession();
  onResize(chart, (next) => {
    width = next;
    draw();
  });
}

function figuresOf(replays: readonly ReportReplay[]): HTMLElement {
  return figureTable({
    title: 'Figures of the tokens',
    columns: ['Candidate', 'Requests', 'Largest', 'Mean', 'Over limit', 'Miss rate, %', 'Cost'],
    rows: replays.map(({ candidate, tokens, limit, missRate, cost }) => [
      candidate,
      tokens.length,
      tokens.reduce((high, next) => Math.max(high, next), 0),
      Math.round(tokens.reduce((sum, next) => sum + next, 0) / Math.max(1, tokens.length)),
      tokens.filter((next) => next > limit).length,
      Number.isFinite(missRate) ? Number((missRate * 100).toFixed(1)) : '–',
      Number.isFinite(cost) ? cost : '–',
    ]),
  });
}

interface Step {
  readonly candidate: string;
  readonly step: number;
  readonly tokens: number;
}

function curveChart(
  replays: readonly ReportReplay[],
  limit: number,
  width: number,
  looks: ReadonlyMap<string, SeriesLook>,
): Element {
  const isWide = width >= 640;
  const height = isWide ? 380 : 300;
  const longest = Math.max(0, ...replays.map(({ candidate }) => shortName(candidate).length));
  const margins = { left: 48, right: isWide ? Math.min(240, longest * 6.8 + 38) : 12, top: 28, bottom: 40 };
  const steps = replays.flatMap(({ candidate, tokens }) =>
    tokens.map((value, at): Step => ({ candidate, step: at + 1, tokens: value })),
  );
  const lastStep = steps.reduce((high, { step }) => Math.max(high, step), 2);
  const top = steps.reduce((high, { tokens }) => Math.max(high, tokens), limit) * 1.05;
  const perPixel = top / (height - margins.top - margins.bottom);
  const ends = replays.flatMap(({ candidate, tokens }) => {
    const last = tokens.at(-1);
    return last === undefined ? [] : [{ candidate, step: tokens.length, tokens: last }];
  });
  const labelled = spreadApart(
    ends.map(({ tokens }) => tokens),
    17 * perPixel,
    0,
    top,
  );
  const colourOf = (candidate: string) => looks.get(candidate)?.colour ?? 'currentColor';
  const endMarks = ends.flatMap((end, at) => [
    Plot.dot([end], {
      x: () => lastStep,
      y: () => labelled[at],
      dx: 14,
      r: 4,
      symbol: looks.get(end.candidate)?.symbol ?? 'circle',
      fill: colourOf(end.candidate),
    }),
    Plot.text([end], {
      x: () => lastStep,
      y: () => labelled[at],
      text: () => shortName(end.candidate),
      dx: 24,
      textAnchor: 'start',
      className: 'strong',
    }),
  ]);
  const drawn = Plot.plot({
    width,
    height,
    marginLeft: margins.left,
    marginRight: margins.right,
    marginTop: margins.top,
    marginBottom: margins.bottom,
    className: 'plot',
    symbol: { type: 'identity' },
    ariaLabel: 'Tokens of each request, a line for each candidate',
    ariaDescription: 'The figures of this chart stand in the table below it.',
    x: { domain: [1, lastStep] },
    y: { domain: [0, top] },
    marks: [
      Plot.gridY({ stroke: 'var(--grid)', strokeOpacity: 1, ticks: 6 }),
      Plot.axisX({
        tickSize: 0,
        ticks: Math.max(2, Math.floor(width / 110)),
        label: 'request →',
        labelAnchor: 'center',
        labelArrow: 'none',
      }),
      Plot.axisY({ tickSize: 0, ticks: 6, tickFormat: formatShort, label: '↑ tokens', labelArrow: 'none' }),
      Plot.ruleY([limit], { stroke: 'var(--limit)', strokeDasharray: '5 4', strokeWidth: 1.5 }),
      Plot.text([limit], {
        y: (y: number) => y,
        text: (y: number) => `limit ${formatWhole(y)}`,
        frameAnchor: 'left',
        textAnchor: 'start',
        dx: 6,
        dy: -9,
        className: 'strong',
      }),
      ...replays.map(({ candidate }) =>
        Plot.lineY(
          steps.filter((step) => step.candidate === candidate),
          {
            x: 'step',
            y: 'tokens',
            stroke: colourOf(candidate),
            strokeWidth: 2,
            strokeDasharray: looks.get(candidate)?.dash ?? 'none',
            strokeLinejoin: 'round',
          },
        ),
      ),
      ...(isWide ? endMarks : []),
      Plot.tip(
        steps,
        Plot.pointer({
          x: 'step',
          y: 'tokens',
          title: ({ candidate, step, tokens }: Step) =>
            `${candidate}\nrequest ${step}: ${formatWhole(tokens)} tokens`,
          fill: 'var(--surface)',
          stroke: 'var(--line-strong)',
          fontSize: 13,
        }),
      ),
    ],
  });
  return asImage(drawn);
}
