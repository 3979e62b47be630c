import { usualForm } from './weights.js';

/** Texts that differ in nothing but numbers, times, hashes and ids. */
export class Form {
  #times = 0;
  #first: unknown;
  #newest: unknown;

  /** Counts what has a text of this form. */
  count(owner: object): void {
    this.#first ??= owner;
    this.#newest = owner;
    this.#times += 1;
  }

  /** A factor on the worth of a text, 0–1: all texts of a frequent form together have that of a few, apart from the first and the newest. */
  weightOf(owner: object): number {
    return owner === this.#first || owner === this.#newest ? 1 : Math.min(1, usualForm / this.#times);
  }
}

/**
 * The forms of texts. Polling, listings, logs and test runs have few forms and many texts, and what is rare in these texts says little.
 */
export class Forms {
  readonly #forms = new Map<string, Form>();

  /** The form of text.slice(start, end): the text with one sign for each word that has a digit, and one space for each gap. */
  of(text: string, start = 0, end = text.length): Form {
    const key = text
      .slice(start, end)
      .replace(/[\w-]+/g, (word) => (/\d/.test(word) ? '9' : word))
      .replace(/\s+/g, ' ');
    const form = this.#forms.get(key) ?? new Form();
    this.#forms.set(key, form);
    return form;
  }
}
