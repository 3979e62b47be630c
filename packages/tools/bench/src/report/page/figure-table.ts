import type { ReportCell, ReportColumn, ReportTable } from '../report-data.js';
import { element } from './element.js';
import { columnFormat } from './number-format.js';
import { termMark } from './term-mark.js';

/** The rows of a table, and what to show when the reader chooses one. */
export interface FigureTable extends Omit<ReportTable, 'variant' | 'choice'> {}

interface Drawn {
  readonly cells: readonly ReportCell[];
  readonly line: HTMLElement;
}

/**
 * Makes a table that is sorted, sorts by a column when its header is pressed, and marks the best figures. On a narrow screen the cells of a
 * row stand below its name, each with its column's title.
 */
export function figureTable({ title, note, columns, rows, sortedBy }: FigureTable): HTMLElement {
  const ranked = rows.filter(({ isRanked }) => isRanked).map(({ cells }) => cells);
  const all = rows.map(({ cells }) => cells);
  const isNumeric = columns.map((_, at) => numbersIn(all, at).length > 0 && textsIn(all, at) === 0);
  const formats = columns.map((_, at) => columnFormat(numbersIn(all, at)));
  const best = columns.map(({ better }, at) => bestOf(better, numbersIn(ranked, at)));
  const drawn: Drawn[] = rows.map(({ cells, isRanked }) => ({
    cells,
    line: element(
      'tr',
      { role: 'row' },
      ...columns.map((column, at) => cellOf(cells[at] ?? null, column, at, isRanked)),
    ),
  }));
  const body = element('tbody', { role: 'rowgroup' }, ...drawn.map(({ line }) => line));
  const headers = columns.map((column, at) => headerOf(column, at));

  function cellOf(cell: ReportCell, column: ReportColumn, at: number, isRanked: boolean): HTMLElement {
    if (at === 0) return element('th', { scope: 'row', role: 'rowheader' }, String(cell ?? ''));
    const label = { role: 'cell', 'data-label': column.title };
    if (!isNumeric[at]) return element('td', label, shownText(cell));
    const value = numberOf(cell);
    if (value === undefined) return element('td', { ...label, class: 'figure' }, shownText(cell));
    const error = typeof cell === 'object' && cell !== null ? cell.error : undefined;
    const isBest = isRanked && value === best[at];
    const parts: (Node | string)[] = [element('span', {}, formats[at]?.(value) ?? String(value))];
    if (error !== undefined) parts.push(element('span', { class: 'error' }, ` ± ${error}`));
    if (isBest) parts.push(element('span', { class: 'visually-hidden' }, ' (best)'));
    parts.push(element('span', { class: 'best-sign', 'aria-hidden': 'true' }, isBest ? ' ★' : ''));
    return element('td', { ...label, class: isBest ? 'figure best' : 'figure' }, ...parts);
  }

  function headerOf(column: ReportColumn, at: number): HTMLElement {
    const hint =
      column.better === 'less' ? [element('span', { class: 'visually-hidden' }, ' (less is better)')] : [];
    const button = element(
      'button',
      { type: 'button', class: 'sort' },
      element('span', {}, column.title, ...hint),
      element('span', { class: 'sort-sign', 'aria-hidden': 'true' }, '↕'),
    );
    const explained = column.term === undefined ? [] : [termMark(column.term)];
    const header = element(
      'th',
      { scope: 'col', role: 'columnheader', class: isNumeric[at] ? 'figure' : '' },
      element('div', { class: 'head' }, button, ...explained),
    );
    button.addEventListener('click', () => {
      const [first, second] = orders(at);
      sortBy(at, header.getAttribute('aria-sort') === first ? second : first);
    });
    return header;
  }

  /** The order in which a column is sorted first, the best on top, and the other one. */
  function orders(at: number): readonly [Order, Order] {
    const isDown = isNumeric[at] === true && columns[at]?.better !== 'less';
    return isDown ? ['descending', 'ascending'] : ['ascending', 'descending'];
  }

  function sortBy(at: number, order: Order): void {
    for (const [other, header] of headers.entries()) {
      header.removeAttribute('aria-sort');
      const sign = header.querySelector('.sort-sign');
      if (sign) sign.textContent = other === at ? (order === 'ascending' ? '↑' : '↓') : '↕';
    }
    headers[at]?.setAttribute('aria-sort', order);
    const direction = order === 'ascending' ? 1 : -1;
    const sorted = drawn.toSorted((a, b) => compare(a.cells[at], b.cells[at], direction));
    body.append(...sorted.map(({ line }) => line));
  }

  if (sortedBy !== undefined && columns[sortedBy] !== undefined) sortBy(sortedBy, orders(sortedBy)[0]);
  const caption = element('caption', {}, title);
  if (note) caption.append(element('span', { class: 'note' }, note));
  const head = element('thead', { role: 'rowgroup' }, element('tr', { role: 'row' }, ...headers));
  const table = element('table', { role: 'table' }, caption, head, body);
  return element('div', { class: 'scroll figures', role: 'region', 'aria-label': title, tabindex: 0 }, table);
}

type Order = 'ascending' | 'descending';

const shownText = (cell: ReportCell) => (cell === null || cell === '' ? '–' : String(cell));

/** JSON has no NaN: what is no number is no figure. */
function numberOf(cell: ReportCell | undefined): number | undefined {
  const value = typeof cell === 'object' ? cell?.value : cell;
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function numbersIn(rows: readonly (readonly ReportCell[])[], at: number): number[] {
  return rows.map((row) => numberOf(row[at])).filter((value) => value !== undefined);
}

function textsIn(rows: readonly (readonly ReportCell[])[], at: number): number {
  return rows.filter((row) => typeof row[at] === 'string' && row[at] !== '').length;
}

/** The best figure of a column; none if several are as good. */
function bestOf(better: ReportColumn['better'], values: readonly number[]): number | undefined {
  if (better === undefined || values.length < 2) return undefined;
  const best = better === 'less' ? Math.min(...values) : Math.max(...values);
  return values.filter((value) => value === best).length === 1 ? best : undefined;
}

/** Cells without a figure come last, in both directions. */
function compare(a: ReportCell | undefined, b: ReportCell | undefined, direction: number): number {
  const [x, y] = [numberOf(a), numberOf(b)];
  if (x !== undefined && y !== undefined) return (x - y) * direction;
  if (x !== undefined) return -1;
  if (y !== undefined) return 1;
  return String(a).localeCompare(String(b), 'en', { numeric: true }) * direction;
}
