import { element } from '../element.js';
import { formatWhole } from '../number-format.js';

/** The step that is looked at, and the ways to another. */
export interface StepSlider {
  readonly root: HTMLElement;
  set(at: number): void;
}

/**
 * A slider over the requests, with buttons to the next and the one before, and to the next of a kind.
 * @param onMove gets the position of the request, from 0
 * @param jumps names of buttons, and what finds the step after a position; undefined if there is none
 */
export function stepSlider(
  count: number,
  onMove: (at: number) => void,
  jumps: Readonly<Record<string, (from: number) => number | undefined>>,
): StepSlider {
  const id = `step-${++sliders}`;
  const range = element('input', { type: 'range', id, min: 1, max: Math.max(1, count), step: 1, value: 1 });
  const shown = element('output', { for: id });
  let at = 0;

  function set(next: number): void {
    at = Math.max(0, Math.min(count - 1, next));
    range.value = String(at + 1);
    shown.textContent = `${formatWhole(at + 1)} of ${formatWhole(count)}`;
    range.setAttribute('aria-valuetext', `request ${at + 1} of ${count}`);
  }

  const button = (name: string, target: () => number | undefined) => {
    const made = element('button', { type: 'button', class: 'push' }, name);
    made.addEventListener('click', () => {
      const next = target();
      if (next !== undefined && next >= 0 && next < count) onMove(next);
    });
    return made;
  };
  range.addEventListener('input', () => onMove(Number(range.value) - 1));
  set(0);
  return {
    set,
    root: element(
      'div',
      { class: 'stepper' },
      element('div', { class: 'stepper-line' }, element('label', { for: id }, 'Request'), range, shown),
      element(
        'div',
        { class: 'buttons' },
        button('Previous', () => at - 1),
        button('Next', () => at + 1),
        ...Object.entries(jumps).map(([name, find]) => button(name, () => find(at))),
      ),
    ),
  };
}

let sliders = 0;
