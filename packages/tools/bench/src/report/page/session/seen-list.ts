import type { SessionTexts } from '../../session-data.js';
import { element } from '../element.js';
import { formatWhole } from '../number-format.js';
import { messageRow } from './message-row.js';
import type { Shown } from './views.js';

/** Rows that are made at once: more would make the slider slow. */
const shownAtOnce = 250;

/** What the model saw, the newest rows first made; older ones at a press. */
export function seenList(shown: readonly Shown[], texts: SessionTexts): HTMLElement {
  const list = element('div', { class: 'seen' });
  const rowOf = (one: Shown): HTMLElement => {
    if (one.kind === 'left-out') return leftOut(one, texts);
    const row = messageRow(one.message, {
      ...(one.kind !== 'added' && { number: one.at }),
      ...(one.kind !== 'kept' && { tag: one.kind }),
      ...(one.kind === 'shortened' && { before: texts.messages[one.at] }),
    });
    row.dataset.row = one.kind === 'added' ? `made-${one.made}` : `said-${one.at}`;
    return row;
  };
  const newest = shown.slice(-shownAtOnce);
  const older = shown.slice(0, -shownAtOnce);
  if (older.length > 0) {
    const more = element(
      'button',
      { type: 'button', class: 'more' },
      `Show ${formatWhole(older.length)} earlier rows`,
    );
    more.addEventListener('click', () => {
      const rows = older.map(rowOf);
      more.replaceWith(...rows);
      rows[0]?.querySelector('summary')?.focus();
    });
    list.append(more);
  }
  list.append(...newest.map(rowOf));
  return list;
}

function leftOut(
  { from, to }: Extract<Shown, { kind: 'left-out' }>,
  { messages }: SessionTexts,
): HTMLElement {
  const count = to - from + 1;
  const tokens = messages.slice(from, to + 1).reduce((sum, one) => sum + one.tokens, 0);
  const name = count === 1 ? `Message ${from + 1} left out` : `Messages ${from + 1} to ${to + 1} left out`;
  const run = element(
    'details',
    { class: 'left-out' },
    element(
      'summary',
      {},
      element('span', { class: 'row-label' }, name),
      element('span', { class: 'row-tokens' }, formatWhole(tokens)),
    ),
  );
  run.dataset.from = String(from);
  run.dataset.to = String(to);
  run.addEventListener('toggle', () => {
    if (!run.open || run.children.length > 1) return;
    for (let at = from; at <= to; at += 1) {
      const message = messages[at];
      if (message === undefined) continue;
      const row = messageRow(message, { number: at });
      row.dataset.row = `said-${at}`;
      run.append(row);
    }
  });
  return run;
}
