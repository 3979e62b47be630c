import { kindNames, kindSample } from './bar-look.js';
import { element } from './element.js';
import { formatShare, formatWhole } from './number-format.js';
import type { Bar, Row } from './timeline-rows.js';

/** The panel next to a timeline: the meaning of a bar, and its text before and after. */
export interface BarPanel {
  readonly root: HTMLElement;
  show(bar: Bar, row: Row, rows: readonly Row[], isPinned: boolean): void;
  clear(): void;
}

/** Makes an empty panel with a hint of how to fill it. */
export function barPanel(): BarPanel {
  const head = element('div', { class: 'panel-head', 'aria-live': 'polite' });
  const texts = element('div', { class: 'panel-texts' });
  const root = element('aside', { class: 'panel', 'aria-label': 'The chosen message' }, head, texts);

  function show(bar: Bar, row: Row, rows: readonly Row[], isPinned: boolean): void {
    root.removeAttribute('data-empty');
    head.replaceChildren(
      element('p', { class: 'tag' }, isPinned ? `${row.name} · pinned` : row.name),
      element('h3', {}, `${bar.number} · ${bar.label}`),
      element(
        'p',
        { class: 'panel-facts' },
        kindSample(bar.kind),
        element('b', {}, kindNames[bar.kind]),
        tokensOf(bar),
      ),
    );
    if (bar.reason) head.append(element('p', { class: 'panel-reason' }, `Reason: ${bar.reason}`));
    texts.replaceChildren(...textsOf(bar), ...othersOf(bar, row, rows));
  }

  function clear(): void {
    root.setAttribute('data-empty', '');
    head.replaceChildren(
      element('h3', {}, 'Choose a message'),
      element('p', { class: 'note' }, 'Point at a bar to read it; click to pin it.'),
      element(
        'p',
        { class: 'note' },
        'By keyboard: Tab to the bars, ',
        ...['←', '→', '↑', '↓'].flatMap((key) => [element('kbd', {}, key), ' ']),
        'to move, ',
        element('kbd', {}, 'Enter'),
        ' to pin.',
      ),
    );
    texts.replaceChildren();
  }

  clear();
  return { root, show, clear };
}

function tokensOf({ kind, before, after }: Bar): string {
  if (kind === 'added' || before === after) return `${formatWhole(after)} tokens`;
  const share = before > 0 ? ` (${formatShare(after / before)})` : '';
  return `${formatWhole(before)} → ${formatWhole(after)} tokens${share}`;
}

function textsOf(bar: Bar): HTMLElement[] {
  if (bar.kind.startsWith('role-')) return [textBlock('Text', bar.textBefore ?? '')];
  if (bar.kind === 'added') {
    return [said('Before', 'Not there: the strategy added this.'), textBlock('After', bar.textAfter ?? '')];
  }
  const before = textBlock('Before', bar.textBefore ?? '');
  if (bar.textAfter !== undefined) return [before, textBlock('After', bar.textAfter)];
  return [before, said('After', wordsOfOutcome(bar))];
}

function wordsOfOutcome({ kind, after }: Bar): string {
  if (kind === 'kept') return 'The same.';
  if (kind === 'summarised') return 'Only a summary mentions it.';
  return after === 0 ? 'Nothing is left of it.' : 'The report does not hold what is left of it.';
}

function textBlock(name: string, text: string): HTMLElement {
  const block = element('pre', {
    class: 'text',
    tabindex: 0,
    role: 'region',
    'aria-label': `Text ${name.toLowerCase()}`,
  });
  block.textContent = text || '(empty)';
  return element('div', {}, element('p', { class: 'tag' }, name), block);
}

function said(name: string, text: string): HTMLElement {
  return element('div', {}, element('p', { class: 'tag' }, name), element('p', { class: 'text said' }, text));
}

/** What the other candidates did with the same message. */
function othersOf(bar: Bar, current: Row, rows: readonly Row[]): HTMLElement[] {
  if (bar.kind === 'added') return [];
  const lines = rows.flatMap((row) => {
    const other = row.candidate === undefined ? undefined : row.bars[bar.x];
    if (!other) return [];
    return element(
      'li',
      row === current ? { 'data-current': '' } : {},
      element('span', {}, row.name),
      element('span', {}, `${kindNames[other.kind]}, ${formatWhole(other.after)}`),
    );
  });
  if (lines.length < 2) return [];
  const list = element('ul', { class: 'others' }, ...lines);
  return [element('div', {}, element('p', { class: 'tag' }, 'The same message under each candidate'), list)];
}
