import stringWidth from 'fast-string-width';
import { shownLine } from './shown.js';

export interface Column {
  readonly title: string;
  /** @default left */
  readonly align?: 'left' | 'right';
  /** Gets shorter if the table is too wide. At most one column of a table. */
  readonly isFlexible?: boolean;
}

export const right = (title: string): Column => ({ title, align: 'right' });
export const flexible = (title: string): Column => ({ title, isFlexible: true });

interface TableOptions {
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
  const lineOf = (line: readonly string[], mark: (text: string, column: number) => string) =>
    line
      .map((cell, column) => {
        const size = widths[column] ?? width;
        const text = shortened(cell, size);
        const shown = text === '' ? text : mark(text, column);
        const space = ' '.repeat(Math.max(0, size - stringWidth(text)));
        return columns[column]?.align === 'right' ? space + shown : shown + space;
      })
      .join(gap)
      .trimEnd();
  const titles = columns.map(({ title }) => title);
  return [
    lineOf(titles, heading),
    ...cells.map((line, row) => lineOf(line, (text, column) => marked(text, row, column))),
  ].join('\n');
}

function same(text: string): string {
  return text;
}

/** The share of a shortened text that stays at its beginning: what it is called. Its end, where a path has its file, gets the rest. */
const headShare = 0.4;

/** A text cut in its middle to a number of columns. */
export function shortened(text: string, columns: number): string {
  if (stringWidth(text) <= columns) return text;
  const characters = [...text];
  const headColumns = Math.floor((columns - 1) * headShare);
  const head = taken(characters, headColumns);
  const tail = taken(characters.reverse(), columns - 1 - stringWidth(head));
  return `${head}…${[...tail].reverse().join('')}`;
}

function taken(characters: readonly string[], columns: number): string {
  let text = '';
  let width = 0;
  for (const character of characters) {
    width += stringWidth(character);
    if (width > columns) break;
    text += character;
  }
  return text;
}
