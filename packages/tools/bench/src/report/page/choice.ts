import { element } from './element.js';

let lastId = 0;

/** A labelled `<select>` of numbered options, and the chosen option. */
export interface Choice {
  readonly field: HTMLElement;
  value(): number;
  setOptions(labels: readonly string[]): void;
  /** Shows an option as chosen, without `onChange`. */
  choose(at: number): void;
}

/** Makes a labelled `<select>`. `onChange` runs when the reader chooses, not when the options are set. */
export function choice(label: string, labels: readonly string[], onChange: () => void): Choice {
  lastId += 1;
  const id = `choice-${lastId}`;
  const select = element('select', { id });
  select.addEventListener('change', onChange);
  const setOptions = (next: readonly string[]) => {
    const chosen = select.selectedOptions[0]?.textContent;
    select.replaceChildren(...next.map((text, at) => element('option', { value: at }, text)));
    select.selectedIndex = Math.max(0, next.indexOf(chosen ?? ''));
  };
  setOptions(labels);
  return {
    field: element('div', { class: 'field' }, element('label', { for: id }, label), select),
    value: () => select.selectedIndex,
    choose: (at) => {
      select.selectedIndex = at;
    },
    setOptions,
  };
}

/** Makes a group of checkboxes that opens at a press; `hidden` holds the names that are not checked and is kept up to date. */
export function checkboxes(
  legend: string,
  names: readonly string[],
  hidden: Set<string>,
  onChange: () => void,
  signOf: (name: string) => readonly Node[] = () => [],
): HTMLElement {
  const checks = names.map((name) => {
    const input = element('input', { type: 'checkbox' });
    input.checked = !hidden.has(name);
    input.addEventListener('change', () => {
      if (input.checked) hidden.delete(name);
      else hidden.add(name);
      onChange();
    });
    return element('label', { class: 'check' }, input, ...signOf(name), name);
  });
  const summary = element('summary', {});
  const say = () => {
    summary.textContent = `${legend}: ${names.filter((name) => !hidden.has(name)).length} of ${names.length} shown`;
  };
  say();
  const fieldset = element(
    'fieldset',
    {},
    element('legend', { class: 'visually-hidden' }, legend),
    element('div', { class: 'checks' }, ...checks),
  );
  fieldset.addEventListener('change', say);
  return element('details', { class: 'chosen' }, summary, fieldset);
}
