import type { Average } from './averages.js';

export type Cell = string | number;

/** Head and rows of a table. */
export interface Table {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

/** The head of a column, and what stands in it in each row. */
export type Column<Row> = readonly [head: string, cell: (row: Row) => Cell];

export function tableOf<Row>(title: string, rows: readonly Row[], columns: readonly Column<Row>[]): Table {
  return {
    title,
    columns: columns.map(([head]) => head),
    rows: rows.map((row) => columns.map(([, cell]) => cell(row))),
  };
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

/** A Markdown table with numbers aligned right and texts left. */
export function markdownTable(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const cells = [head, ...rows.map((row) => row.map(String))];
  const widths = head.map((_, column) => Math.max(3, ...cells.map((row) => row[column]?.length ?? 0)));
  const right = head.map((_, column) => rows.length > 0 && rows.every((row) => isFigure(row[column])));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => (right[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0))).join(' | ')} |`;
  const rule = widths.map((width, column) =>
    right[column] ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width),
  );
  return [line(head), line(rule), ...cells.slice(1).map(line)].join('\n');
}

function isFigure(cell: Cell | undefined): boolean {
  return typeof cell === 'number' || /^[\d.,<>–—%× -]+( (ms|µs|%))?$/.test(cell ?? '');
}
