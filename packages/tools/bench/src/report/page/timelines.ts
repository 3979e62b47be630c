import type { ReportTimeline } from '../report-data.js';
import { type TermName, terms } from '../terms.js';
import { barGrid } from './bar-grid.js';
import { type BarKind, gonePatterns, kindNames, kindSample } from './bar-look.js';
import { barPanel } from './bar-panel.js';
import { checkboxes, choice } from './choice.js';
import { element } from './element.js';
import { grouped } from './grouped.js';
import { formatShare } from './number-format.js';
import { onResize } from './on-resize.js';
import { termMark } from './term-mark.js';
import { rowsOf } from './timeline-rows.js';

const roleKinds: readonly BarKind[] = ['role-system', 'role-user', 'role-assistant', 'role-tool'];
const outcomeKinds: readonly BarKind[] = [
  'kept',
  'cleared',
  'truncated',
  'folded',
  'summarised',
  'excerpted',
  'dropped',
  'added',
];

/** Number of candidates shown at first; the reader may check more. */
const shownAtFirst = 6;

/** Shows what happened to each message of a session, candidate by candidate. */
export function mountTimelines(root: HTMLElement, timelines: readonly ReportTimeline[]): void {
  const labels = timelines.map(
    ({ session, source, share }) => `${session} (${source}), to ${formatShare(share)}`,
  );
  const session = choice('Session and share kept', labels, choose);
  const hidden = new Set(bestFirst(timelines).slice(shownAtFirst));
  const checks = element('div');
  const rows = element('div', { class: 'scroll rows' });
  const panel = barPanel();
  let width = 0;

  function choose(): void {
    const timeline = timelines[session.value()];
    const here = timeline?.candidates.map(({ candidate }) => candidate) ?? [];
    checks.replaceChildren(checkboxes('Candidates', here, hidden, draw));
    draw();
  }

  function draw(): void {
    const timeline = timelines[session.value()];
    if (!timeline || width === 0) return;
    const shown = rowsOf(timeline).filter(
      ({ candidate }) => candidate === undefined || !hidden.has(candidate),
    );
    panel.clear();
    rows.replaceChildren(
      barGrid(shown, timeline.messages.length, width, (bar, row, isPinned) =>
        panel.show(bar, row, shown, isPinned),
      ),
    );
  }

  const note =
    'Height is tokens, on a square-root scale. Solid is what is left of a message, patterned what is gone.';
  root.append(
    gonePatterns(),
    element(
      'div',
      { class: 'card' },
      element('div', { class: 'controls' }, session.field, checks),
      element(
        'div',
        { class: 'legends' },
        legend('Messages', outcomeKinds),
        legend('The session', roleKinds),
      ),
      element(
        'div',
        { class: 'timeline' },
        element('div', {}, rows, element('p', { class: 'note' }, note)),
        panel.root,
      ),
    ),
  );
  choose();
  onResize(rows, (next) => {
    width = next;
    draw();
  });
}

/** The candidates, those that keep the most over all timelines first, controls and bounds last. */
function bestFirst(timelines: readonly ReportTimeline[]): string[] {
  const all = timelines.flatMap(({ candidates }) => candidates);
  const ranked = new Set(all.filter(({ isRanked }) => isRanked).map(({ candidate }) => candidate));
  const rank = (candidate: string) => Number(ranked.has(candidate));
  const means = grouped(all, ({ candidate }) => candidate).map(([candidate, own]) => ({
    candidate,
    kept:
      own.reduce((sum, { usableCtx }) => sum + (Number.isFinite(usableCtx) ? usableCtx : 0), 0) / own.length,
  }));
  return means
    .toSorted((a, b) => rank(b.candidate) - rank(a.candidate) || b.kept - a.kept)
    .map(({ candidate }) => candidate);
}

function legend(title: string, kinds: readonly BarKind[]): HTMLElement {
  const items = kinds.map((kind) => {
    const mark = kind in terms ? [termMark(kind as TermName)] : [];
    return element('li', {}, kindSample(kind), kindNames[kind], ...mark);
  });
  return element(
    'div',
    {},
    element('p', { class: 'tag' }, title),
    element('ul', { class: 'legend', 'aria-label': `Legend: ${title}` }, ...items),
  );
}
