import type { ReportMessage } from '../../session-data.js';
import { element } from '../element.js';
import { formatWhole } from '../number-format.js';

/** A message in one line that opens to its text. The text is put in when it opens. */
export function messageRow(
  message: ReportMessage,
  { number, tag, before }: { number?: number; tag?: string; before?: ReportMessage | undefined } = {},
): HTMLDetailsElement {
  const summary = element(
    'summary',
    {},
    element('span', { class: `role role-${message.role}`, 'aria-hidden': 'true' }),
    element(
      'span',
      { class: 'row-label' },
      `${number === undefined ? '' : `${number + 1} · `}${message.label}`,
    ),
    ...(tag === undefined ? [] : [element('span', { class: 'row-tag' }, tag)]),
    element('span', { class: 'row-tokens' }, formatWhole(message.tokens)),
  );
  const row = element('details', { class: 'message-row' }, summary);
  row.addEventListener('toggle', () => {
    if (!row.open || row.querySelector('.text') !== null) return;
    row.append(textOf(message.text, `Text of ${message.label}`));
    if (before !== undefined) {
      const whole = element(
        'details',
        {},
        element('summary', {}, `Before: ${formatWhole(before.tokens)} tokens`),
      );
      whole.addEventListener('toggle', () => {
        if (whole.open && whole.querySelector('.text') === null)
          whole.append(textOf(before.text, `Text of ${message.label}, before`));
      });
      row.append(whole);
    }
  });
  return row;
}

function textOf(text: string, name: string): HTMLElement {
  const block = element('pre', { class: 'text', tabindex: 0, role: 'group', 'aria-label': name });
  block.textContent = text || '(empty)';
  return block;
}
