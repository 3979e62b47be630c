import { stemOf } from './terms.js';

/** A word, a piece of a name such as `parseConfig`, or the end of a line. */
const wordOrBreak = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{M}\p{N}]+|\n/gu;

/** Two words that are next to each other in a line, as one number. */
type Pair = number;

/** More than the words of any query, so that no two pairs have one number. */
const mostWords = 2 ** 20;

/** The pairs of neighbouring words of a query, in any of their forms, to be looked for in other texts. */
export class Pairs {
  readonly #stems = new Map<string, number>();
  /** Numbers of words as they were read. Texts that are found by one query have many words in common. */
  readonly #numbers = new Map<string, number | undefined>([['\n', undefined]]);
  readonly #pairs: ReadonlySet<Pair>;

  constructor(query: string) {
    this.#pairs = this.#in(query, (stem) => {
      const number = this.#stems.size;
      this.#stems.set(stem, number);
      return number;
    });
  }

  get size(): number {
    return this.#pairs.size;
  }

  /** The pairs of the query that a text has, each once. Takes linear time. */
  in(text: string): Pair[] {
    return [...this.#in(text, () => undefined)].filter((pair) => this.#pairs.has(pair));
  }

  #in(text: string, numberOfNew: (stem: string) => number | undefined): Set<Pair> {
    const pairs = new Set<Pair>();
    let before: number | undefined;
    for (const word of text.match(wordOrBreak) ?? []) {
      // A single letter says nothing, and does not part its neighbours.
      if (word.length === 1 && word !== '\n') continue;
      const number = this.#numberOf(word, numberOfNew);
      if (before !== undefined && number !== undefined) pairs.add(before * mostWords + number);
      before = number;
    }
    return pairs;
  }

  #numberOf(word: string, numberOfNew: (stem: string) => number | undefined): number | undefined {
    if (this.#numbers.has(word)) return this.#numbers.get(word);
    const stem = stemOf(word.toLowerCase());
    const number = this.#stems.get(stem) ?? numberOfNew(stem);
    this.#numbers.set(word, number);
    return number;
  }
}
