import { svgElement } from './element.js';

/** How a candidate's line and dot look. Colour is never the only difference. */
export interface SeriesLook {
  readonly colour: string;
  readonly dash: string;
  readonly symbol: 'circle' | 'square' | 'triangle' | 'diamond' | 'star' | 'wye' | 'cross';
}

/** As many as the style sheet defines. */
const colours = 8;
const dashes = ['none', '7 3', '2 3', '9 3 2 3', '14 4'];
const symbols = ['circle', 'square', 'triangle', 'diamond', 'star', 'wye', 'cross'] as const;

/** Gives each candidate its own look, the same in all charts. */
export function seriesLooks(candidates: Iterable<string>): Map<string, SeriesLook> {
  return new Map(
    [...new Set(candidates)].map((candidate, at) => [
      candidate,
      {
        colour: `var(--series-${at % colours})`,
        dash: dashes[at % dashes.length] ?? 'none',
        symbol: symbols[at % symbols.length] ?? 'circle',
      },
    ]),
  );
}

/** A short piece of a candidate's line, for a legend. */
export function lineSample({ colour, dash }: SeriesLook): SVGElement {
  const line = svgElement('line', {
    x1: 1,
    x2: 29,
    y1: 6,
    y2: 6,
    stroke: colour,
    'stroke-width': 2.5,
    'stroke-dasharray': dash,
  });
  return svgElement('svg', { width: 30, height: 12, 'aria-hidden': 'true' }, line);
}
