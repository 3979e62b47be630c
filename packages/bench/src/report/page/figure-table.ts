import { element } from './element.js';
import { columnFormat } from './number-format.js';

type Cell = string | number;

/** The contents of a table, and the columns in which less is better. */
export interface FigureTable {
  readonly title: string;
  readonly note?: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

const lowerIsBetter = /\b(miss\w*|cost\w*|loss\w*|lost|errors?|ms|seconds|time|dropped|over limit)\b/i;

/** Makes a table that sorts by a column when its header is pressed, and marks the best figures. */
export function figureTable({ title, note, columns, rows }: FigureTable): HTMLElement {
  const isNumeric = columns.map((_, at) => numbersIn(rows, at).length > 0 && textsIn(rows, at) === 0);
  const formats = columns.map((_, at) => columnFormat(numbersIn(rows, at)));
  const best = columns.map((column, at) => (isNumeric[at] ? bestOf(column, numbersIn(rows, at)) : undefined));
  const drawn = rows.map((row) => ({
    row,
    line: element('tr', {}, ...columns.map((_, at) => cellOf(row[at] ?? '', at))),
  }));
  const body = element('tbody', {}, ...drawn.map(({ line }) => line));
  const headers = columns.map((column, at) => headerOf(column, at));

  function cellOf(value: Cell, at: number): HTMLElement {
    if (at === 0) return element('th', { scope: 'row' }, String(value));
    if (!isNumeric[at]) return element('td', {}, String(value));
    const text = typeof value === 'number' ? (formats[at]?.(value) ?? String(value)) : value || '–';
    const isBest = value === best[at];
    const sign = element('span', { class: 'best-sign', 'aria-hidden': 'true' }, isBest ? ' ★' : '');
    const said = isBest ? [element('span', { class: 'visually-hidden' }, ' (best)')] : [];
    return element('td', { class: isBest ? 'figure best' : 'figure' }, text, ...said, sign);
  }

  function headerOf(column: string, at: number): HTMLElement {
    const less = isNumeric[at] && lowerIsBetter.test(column);
    const sign = element('span', { class: 'sort-sign', 'aria-hidden': 'true' }, '↕');
    const hint = less ? [element('span', { class: 'visually-hidden' }, ' (less is better)')] : [];
    const button = element(
      'button',
      { type: 'button', class: 'sort' },
      element('span', {}, column, ...hint),
      sign,
    );
    if (less) button.title = 'Less is better';
    const header = element('th', { scope: 'col', class: isNumeric[at] ? 'figure' : '' }, button);
    button.addEventListener('click', () => sortBy(at, header));
    return header;
  }

  function sortBy(at: number, header: HTMLElement): void {
    const before = header.getAttribute('aria-sort');
    const first = isNumeric[at] ? 'descending' : 'ascending';
    const second = first === 'descending' ? 'ascending' : 'descending';
    const order = before === first ? second : first;
    for (const other of headers) {
      other.removeAttribute('aria-sort');
      const sign = other.querySelector('.sort-sign');
      if (sign) sign.textContent = other === header ? (order === 'ascending' ? '↑' : '↓') : '↕';
    }
    header.setAttribute('aria-sort', order);
    const direction = order === 'ascending' ? 1 : -1;
    const sorted = drawn.toSorted((a, b) => compare(a.row[at], b.row[at], direction));
    body.append(...sorted.map(({ line }) => line));
  }

  const caption = element('caption', {}, title);
  if (note) caption.append(element('span', { class: 'note' }, note));
  const table = element('table', {}, caption, element('thead', {}, element('tr', {}, ...headers)), body);
  return element('div', { class: 'scroll', role: 'region', 'aria-label': title, tabindex: 0 }, table);
}

function numbersIn(rows: FigureTable['rows'], at: number): number[] {
  return rows.map((row) => row[at]).filter((value) => typeof value === 'number');
}

function textsIn(rows: FigureTable['rows'], at: number): number {
  return rows.filter((row) => typeof row[at] === 'string' && !/^[-–—]?$/.test(row[at])).length;
}

/** The best figure of a column; none if all are the same. */
function bestOf(column: string, values: readonly number[]): number | undefined {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  if (low === high) return undefined;
  return lowerIsBetter.test(column) ? low : high;
}

/** Cells without a figure come last, in both directions. */
function compare(a: Cell | undefined, b: Cell | undefined, direction: number): number {
  if (typeof a === 'number' && typeof b === 'number') return (a - b) * direction;
  if (typeof a === 'number') return -1;
  if (typeof b === 'number') return 1;
  return String(a).localeCompare(String(b), 'en', { numeric: true }) * direction;
}
