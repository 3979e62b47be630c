import * as Plot from '@observablehq/plot';
import { type BarKind, goneFill, kindColour, kindNames } from './bar-look.js';
import { grouped } from './grouped.js';
import { formatShort, formatWhole } from './number-format.js';
import type { Bar, Row } from './timeline-rows.js';

/** The settings that all rows of a timeline share. */
export interface RowScale {
  readonly width: number;
  readonly columns: number;
  readonly maxTokens: number;
}

/** Pixels left and right of the bars. */
export const rowMargin = { left: 40, right: 8 };
/** Pixels: differences show, and several rows fit on a screen. */
const height = 76;

/** Draws a row; `onBar` gets the element of each bar, in the order of the bars. */
export function rowChart(
  row: Row,
  scale: RowScale,
  onBar: (target: SVGElement, at: number) => void,
): SVGElement {
  const inset = (scale.width - rowMargin.left - rowMargin.right) / scale.columns > 5 ? 0.75 : 0.25;
  const place = { x1: (bar: Bar) => bar.x, x2: (bar: Bar) => bar.x + 1, insetLeft: inset, insetRight: inset };
  const ticks = [scale.maxTokens / 10, scale.maxTokens].map(roundDown);
  const byKind = grouped(row.bars, ({ kind }) => kind);
  const chart = Plot.plot({
    width: scale.width,
    height,
    marginLeft: rowMargin.left,
    marginRight: rowMargin.right,
    marginTop: 6,
    marginBottom: 2,
    className: 'plot',
    x: { domain: [0, scale.columns], axis: null },
    y: { type: 'sqrt', domain: [0, scale.maxTokens], axis: null },
    marks: [
      Plot.gridY(ticks, { stroke: 'var(--grid)', strokeOpacity: 1 }),
      Plot.axisY(ticks, { tickSize: 0, tickFormat: formatShort, label: null }),
      ...byKind.flatMap(([kind, bars]) => [goneMark(kind, bars, place), leftMark(kind, bars, place)]),
      Plot.ruleY([0], { stroke: 'var(--line-strong)' }),
      Plot.rect(row.bars, {
        ...place,
        y1: 0,
        y2: scale.maxTokens,
        insetLeft: 0,
        insetRight: 0,
        fill: 'transparent',
        render: (index, scales, values, dimensions, context, next) => {
          const layer = next?.(index, scales, values, dimensions, context) ?? null;
          for (const [at, target] of [...(layer?.children ?? [])].entries()) onBar(target as SVGElement, at);
          return layer;
        },
      }),
    ],
  }) as SVGElement;
  chart.setAttribute('role', 'none');
  for (const part of chart.querySelectorAll('g')) part.removeAttribute('aria-label');
  return chart;
}

type Place = Pick<Plot.RectOptions, 'x1' | 'x2' | 'insetLeft' | 'insetRight'>;

/** The lost part: from the tokens that are left up to the tokens before. */
function goneMark(kind: BarKind, bars: readonly Bar[], place: Place): Plot.Markish {
  const gone = bars.filter(({ before, after }) => after < before);
  return Plot.rect(gone, {
    ...place,
    y1: (bar: Bar) => bar.after,
    y2: (bar: Bar) => bar.before,
    fill: goneFill(kind),
  });
}

function leftMark(kind: BarKind, bars: readonly Bar[], place: Place): Plot.Markish {
  const left = bars.filter(({ after }) => after > 0);
  return Plot.rect(left, { ...place, y1: 0, y2: (bar: Bar) => bar.after, fill: kindColour(kind) });
}

/** Draws the axis below all rows: the number of each message, and where the added ones begin. */
export function axisChart(scale: RowScale, messages: number, hasAdded: boolean): SVGElement {
  const step = roundUp((70 * scale.columns) / (scale.width - rowMargin.left - rowMargin.right));
  const numbers = Array.from({ length: Math.floor(messages / step) }, (_, at) => (at + 1) * step);
  const pitch = (scale.width - rowMargin.left - rowMargin.right) / scale.columns;
  const end = hasAdded ? scale.columns - 60 / pitch : messages;
  const ticks = [1, ...numbers.filter((number) => number > 1 && number <= end)];
  const chart = Plot.plot({
    width: scale.width,
    height: 28,
    marginLeft: rowMargin.left,
    marginRight: rowMargin.right,
    marginTop: 0,
    marginBottom: 28,
    className: 'plot',
    x: { domain: [0, scale.columns], axis: null },
    marks: [
      Plot.axisX(
        ticks.map((number) => number - 0.5),
        {
          tickFormat: (x: number) => formatWhole(x + 0.5),
          tickSize: 4,
          label: null,
          color: 'var(--line-strong)',
        },
      ),
      hasAdded
        ? Plot.text(['added'], { text: (name: string) => name, frameAnchor: 'top-right', dy: 9 })
        : null,
    ],
  }) as SVGElement;
  chart.setAttribute('aria-hidden', 'true');
  return chart;
}

/** The text that a screen reader reads for a bar. */
export function spokenBar(bar: Bar): string {
  const tokens =
    bar.kind === 'added' || bar.after === bar.before
      ? `${formatWhole(bar.after)} tokens`
      : `${formatWhole(bar.after)} of ${formatWhole(bar.before)} tokens`;
  return `${bar.number}: ${bar.label}, ${kindNames[bar.kind]}, ${tokens}`;
}

/** 3 → 5, 12 → 20: the next of 1, 2, 5, 10, 20, 50 and so on. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  return power * ([1, 2, 5, 10].find((factor) => factor * power >= value) ?? 10);
}

/** 4700 → 4000. */
function roundDown(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  return Math.floor(value / power) * power;
}
