import Table from 'cli-table3';
import stringWidth from 'fast-string-width';
import { shortened } from './shorten.js';
import { shownLine } from './shown.js';

export interface Column {
  readonly title: string;
  /** @default left */
  readonly align?: 'left' | 'right';
  /** Gets shorter if the table is too wide. At most one column of a table. */
  readonly isFlexible?: boolean;
}

export interface TableOptions {
  /** Columns of the terminal. */
  readonly width: number;
  /** Marks the titles; it must not change their width. */
  readonly heading?: (text: string) => string;
  /** Marks cells; gets the cell as it is printed. It must not change its width. */
  readonly marked?: (text: string, row: number, column: number) => string;
}

/** Between two columns. */
const gap = '  ';
/** Columns that a flexible column keeps, however narrow the terminal is. */
const leastFlexible = 12;

const noLines = Object.fromEntries(
  ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right']
    .concat(['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid'])
    .map((name) => [name, '']),
);

/** A table without lines, as wide as it needs to be and no wider than the terminal if a column is flexible. */
export function tableOf(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  { width, heading = same, marked = same }: TableOptions,
): string {
  const cells = rows.map((row) => row.map(shownLine));
  const natural = columns.map(({ title }, index) =>
    Math.max(stringWidth(title), ...cells.map((row) => stringWidth(row[index] ?? ''))),
  );
  const total = natural.reduce((sum, one) => sum + one, 0) + gap.length * (columns.length - 1);
  const widths = natural.map((one, index) =>
    columns[index]?.isFlexible === true ? Math.max(leastFlexible, one - Math.max(0, total - width)) : one,
  );
  const table = new Table({
    chars: { ...noLines, middle: gap },
    style: { head: [], border: [], compact: true, 'padding-left': 0, 'padding-right': 0 },
    colWidths: widths,
    colAligns: columns.map(({ align = 'left' }) => align),
    wordWrap: false,
  });
  table.push(columns.map(({ title }) => heading(title)));
  for (const [row, line] of cells.entries())
    table.push(
      line.map((cell, column) =>
        cell === '' ? cell : marked(shortened(cell, widths[column] ?? width), row, column),
      ),
    );
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

function same(text: string): string {
  return text;
}
