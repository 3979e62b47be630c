import { element } from './element.js';

let lastId = 0;

/** A labelled `<select>` of numbered options, and the chosen option. */
export interface Choice {
  readonly field: HTMLElement;
  value(): number;
  /** Shows an option as chosen, without `onChange`. */
  choose(at: number): void;
}

/** Makes a labelled `<select>`. `onChange` runs when the reader chooses. */
export function choice(label: string, labels: readonly string[], onChange: () => void): Choice {
  lastId += 1;
  const id = `choice-${lastId}`;
  const select = element('select', { id });
  select.addEventListener('change', onChange);
  select.append(...labels.map((text, at) => element('option', { value: at }, text)));
  return {
    field: element('div', { class: 'field' }, element('label', { for: id }, label), select),
    value: () => select.selectedIndex,
    choose: (at) => {
      select.selectedIndex = at;
    },
  };
}
