import * as Plot from '@observablehq/plot';
import type { ReportReplay } from '../report-data.js';
import { asImage } from './as-image.js';
import { shortName, spreadApart } from './label-places.js';
import { formatShort, formatWhole } from './number-format.js';
import type { SeriesLook } from './series-look.js';

/** Pixels from one name beside the lines to the next. */
const labelGap = 17;
/** Pixels from one marker on a line to the next. */
const markerGap = 90;

interface Step {
  readonly candidate: string;
  readonly step: number;
  readonly tokens: number;
}

/** Draws the tokens of each request, a line for each replay. Dashes and markers tell the lines apart without colours. */
export function curveChart(
  replays: readonly ReportReplay[],
  limit: number,
  width: number,
  looks: ReadonlyMap<string, SeriesLook>,
): Element {
  const isWide = width >= 640;
  const nameLength = isWide ? 30 : 13;
  const nameOf = (candidate: string) => shortName(candidate, nameLength);
  const longest = Math.max(0, ...replays.map(({ candidate }) => nameOf(candidate).length));
  const margins = { left: 44, right: longest * 6.8 + 34, top: 28, bottom: 40 };
  const height = Math.max(isWide ? 380 : 300, replays.length * labelGap + margins.top + margins.bottom);
  const steps = replays.flatMap(({ candidate, tokens }) =>
    tokens.map((value, at): Step => ({ candidate, step: at + 1, tokens: value })),
  );
  const lastStep = steps.reduce((high, { step }) => Math.max(high, step), 2);
  const every = Math.max(
    1,
    Math.ceil((lastStep * markerGap) / Math.max(1, width - margins.left - margins.right)),
  );
  const top = steps.reduce((high, { tokens }) => Math.max(high, tokens), limit) * 1.05;
  const perPixel = top / (height - margins.top - margins.bottom);
  const ends = replays.flatMap(({ candidate, tokens }) => {
    const last = tokens.at(-1);
    return last === undefined ? [] : [{ candidate, step: tokens.length, tokens: last }];
  });
  const labelled = spreadApart(
    ends.map(({ tokens }) => tokens),
    labelGap * perPixel,
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
      text: () => nameOf(end.candidate),
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
      ...replays.map(({ candidate }, at) =>
        Plot.dot(
          steps.filter(({ candidate: own, step }) => own === candidate && step % every === (at * 2) % every),
          {
            x: 'step',
            y: 'tokens',
            r: 3.5,
            symbol: looks.get(candidate)?.symbol ?? 'circle',
            fill: colourOf(candidate),
            stroke: 'var(--surface)',
            strokeWidth: 0.75,
          },
        ),
      ),
      ...endMarks,
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
