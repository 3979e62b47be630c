import type { Average } from './averages.js';
import type { Cell } from './markdown-table.js';

/** Head and rows of a table. */
export interface Table {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

export const percent = (share: number): string => `${Number((share * 100).toFixed(1))} %`;
export const tokensText = (tokens: number): string => Math.round(tokens).toLocaleString('en-US');
export const figure = (average: Average | undefined, digits = 1): string =>
  average === undefined ? '–' : average.mean.toFixed(digits);
export const withError = (average: Average | undefined): string =>
  average === undefined
    ? '–'
    : `${average.mean.toFixed(1)}${average.error === undefined ? '' : ` ± ${average.error.toFixed(1)}`}`;
/** A paired difference, with its sign. */
export const signed = (average: Average | undefined): string =>
  average !== undefined && average.mean >= 0.05 ? `+${withError(average)}` : withError(average);

/** The different values of a figure, in the order in which they come. */
export const valuesOf = <Row, Value>(rows: readonly Row[], pick: (row: Row) => Value): Value[] => [
  ...new Set(rows.map(pick)),
];
