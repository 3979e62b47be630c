import * as Plot from '@observablehq/plot';

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

/** A short piece of a candidate's line with its marker, for a legend. */
export function lineSample({ colour, dash, symbol }: SeriesLook): Element {
  const ends: [number, number][] = [
    [0, 0],
    [2, 0],
  ];
  return sample(34, [
    Plot.line(ends, { stroke: colour, strokeWidth: 2.5, strokeDasharray: dash }),
    Plot.dot([ends[0]], { x: 1, y: 0, r: 4, fill: colour, symbol }),
  ]);
}

/** A candidate's marker, for a legend. */
export function markerSample({ colour, symbol }: SeriesLook): Element {
  return sample(14, [Plot.dot([0], { x: 1, y: 0, r: 5, fill: colour, symbol })]);
}

function sample(width: number, marks: Plot.Markish[]): Element {
  const drawn = Plot.plot({
    width,
    height: 14,
    margin: 0,
    className: 'sample',
    symbol: { type: 'identity' },
    x: { domain: [0, 2], axis: null },
    y: { domain: [-1, 1], axis: null },
    marks,
  });
  drawn.setAttribute('aria-hidden', 'true');
  return drawn;
}
