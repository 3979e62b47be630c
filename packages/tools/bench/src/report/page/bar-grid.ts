import { element } from './element.js';
import { formatShare, formatWhole } from './number-format.js';
import { axisChart, type RowScale, rowChart, rowMargin, spokenBar } from './row-chart.js';
import type { Bar, Row } from './timeline-rows.js';

/** Where the reader is in the grid: a row and a bar of it. */
interface Place {
  readonly row: number;
  readonly at: number;
}

/** The grid's message: the bar to show, or none. */
export type ShowBar = (bar: Bar, row: Row, isPinned: boolean) => void;

/** Least width of a bar in pixels, enough to point at with a mouse or a finger. */
const minPitch = matchMedia('(pointer: coarse)').matches ? 9 : 3.5;
/** Greatest width of a bar in pixels, so that the bars of a short conversation are not too wide. */
const maxPitch = 32;

/**
 * Draws rows of bars on a common axis as one grid with one tab stop: arrow keys, Home, End, Page Up and
 * Page Down move, Enter and Space pin, Escape lets go.
 */
export function barGrid(rows: readonly Row[], messages: number, width: number, show: ShowBar): HTMLElement {
  const columns = highest(rows, ({ x }) => x + 1);
  const margins = rowMargin.left + rowMargin.right;
  const pitch = Math.min(maxPitch, Math.max(minPitch, (width - margins) / columns));
  const scale: RowScale = {
    width: columns * pitch + margins,
    columns,
    maxTokens: highest(rows, ({ before, after }) => Math.max(before, after)),
  };
  const targets: SVGElement[][] = rows.map(() => []);
  const places = new Map<Element, Place>();
  const band = element('div', { class: 'band', 'aria-hidden': 'true' });
  band.style.width = `${Math.max(2, pitch)}px`;
  band.hidden = true;
  let stop: SVGElement | undefined;
  let pinned: SVGElement | undefined;

  const best = bestOf(rows);
  const drawn = rows.map((row, at) => {
    const chart = rowChart(row, scale, (target, column) => {
      targets[at]?.push(target);
      places.set(target, { row: at, at: column });
      const bar = row.bars[column];
      target.setAttribute('class', 'bar');
      target.setAttribute('role', 'gridcell');
      target.setAttribute('tabindex', '-1');
      if (bar) target.setAttribute('aria-label', spokenBar(bar));
    });
    return element(
      'div',
      { role: 'row', 'aria-label': row.name },
      rowHead(row, rows[0]?.tokens ?? 0, best),
      chart,
    );
  });
  const hasAdded = rows.some(({ bars }) => bars.some(({ kind }) => kind === 'added'));
  const grid = element(
    'div',
    { class: 'grid', role: 'grid', 'aria-label': 'Messages under each candidate' },
    ...drawn,
    axisChart(scale, messages, hasAdded),
    band,
  );
  grid.style.width = `${scale.width}px`;
  grid.style.setProperty('--seen', `${width}px`);

  function look(target: SVGElement): void {
    const place = places.get(target);
    const row = rows[place?.row ?? 0];
    const bar = row?.bars[place?.at ?? 0];
    if (!row || !bar) return;
    show(bar, row, target === pinned);
    band.hidden = false;
    band.style.transform = `translateX(${rowMargin.left + bar.x * pitch}px)`;
  }

  function moveStop(target: SVGElement): void {
    stop?.setAttribute('tabindex', '-1');
    target.setAttribute('tabindex', '0');
    stop = target;
  }

  function pin(target: SVGElement | undefined): void {
    const before = pinned;
    before?.removeAttribute('aria-selected');
    pinned = target === before ? undefined : target;
    pinned?.setAttribute('aria-selected', 'true');
    const shown = pinned ?? before;
    if (shown) look(shown);
  }

  function moved(key: string, { row, at }: Place, isWide: boolean): SVGElement | undefined {
    const across = (next: number) => {
      const line = targets[Math.min(targets.length - 1, Math.max(0, row))] ?? [];
      return line[Math.min(line.length - 1, Math.max(0, next))];
    };
    const along = (next: number) => {
      const line = targets[Math.min(targets.length - 1, Math.max(0, next))] ?? [];
      return line[Math.min(line.length - 1, at)];
    };
    switch (key) {
      case 'ArrowLeft':
        return across(at - 1);
      case 'ArrowRight':
        return across(at + 1);
      case 'ArrowUp':
        return along(row - 1);
      case 'ArrowDown':
        return along(row + 1);
      case 'PageUp':
        return across(at - 10);
      case 'PageDown':
        return across(at + 10);
      case 'Home':
        return isWide ? targets[0]?.[0] : across(0);
      case 'End':
        return isWide ? targets.at(-1)?.at(-1) : across(Number.MAX_SAFE_INTEGER);
      default:
        return undefined;
    }
  }

  const barOf = (event: Event) =>
    event.target instanceof SVGElement && places.has(event.target) ? event.target : undefined;
  grid.addEventListener('pointerover', (event) => {
    const target = barOf(event);
    if (target && !pinned) look(target);
  });
  grid.addEventListener('focusin', (event) => {
    const target = barOf(event);
    if (!target) return;
    moveStop(target);
    if (!pinned) look(target);
  });
  grid.addEventListener('click', (event) => {
    const target = barOf(event);
    if (!target) return;
    target.focus({ preventScroll: true });
    pin(target);
  });
  grid.addEventListener('keydown', (event) => {
    const target = barOf(event);
    const place = target && places.get(target);
    if (!target || !place) return;
    if (event.key === 'Enter' || event.key === ' ') pin(target);
    else if (event.key === 'Escape') pin(pinned);
    else {
      const next = moved(event.key, place, event.ctrlKey || event.metaKey);
      if (!next) return;
      next.focus();
    }
    event.preventDefault();
  });
  const first = targets[0]?.[0];
  if (first) moveStop(first);
  return grid;
}

function highest(rows: readonly Row[], figureOf: (bar: Bar) => number): number {
  return rows.flatMap(({ bars }) => bars).reduce((high, bar) => Math.max(high, figureOf(bar)), 1);
}

/** The most that a shown candidate keeps; undefined if all keep the same. */
function bestOf(rows: readonly Row[]): number | undefined {
  const kept = rows.flatMap(({ usableCtx, isRanked }) =>
    isRanked && Number.isFinite(usableCtx) ? [usableCtx as number] : [],
  );
  const high = Math.max(...kept);
  return high > Math.min(...kept) ? high : undefined;
}

function rowHead(row: Row, whole: number, best: number | undefined): HTMLElement {
  const head = element('div', { class: 'row-head', role: 'rowheader' }, element('b', {}, row.name));
  const share = row.candidate !== undefined && whole > 0 ? `, ${formatShare(row.tokens / whole)}` : '';
  head.append(element('span', {}, `${formatWhole(row.tokens)} tokens${share}`));
  if (row.usableCtx !== undefined && Number.isFinite(row.usableCtx))
    head.append(element('span', {}, `${row.usableCtx.toFixed(1)} % still there`));
  if (row.isRanked && best !== undefined && row.usableCtx === best)
    head.append(element('span', { class: 'best' }, '★ most of those shown'));
  return head;
}
