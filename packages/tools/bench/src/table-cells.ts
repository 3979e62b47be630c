import type { Average } from './averages.js';
import type { Cell } from './markdown-table.js';

/** Head and rows of a table. */
export interface Table {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

export const percent = (share: number): string => `${share * 100} %`;
export const figure = (average: Average | undefined): string =>
  average === undefined ? '–' : average.mean.toFixed(1);
export const withError = (average: Average): string =>
  `${average.mean.toFixed(1)} ± ${average.error.toFixed(1)}`;
