/** A text to search for, and one of its inner words, which has white space on both sides. */
export interface Searchable {
  readonly text: string;
  readonly inner: string | undefined;
}

/** Prepares a text for many searches. */
export function searchable(text: string): Searchable {
  let inner: string | undefined;
  // The longest of the first few words, because most texts contain the short ones.
  for (const word of text.slice(0, 400).split(/\s+/, 12).slice(1, -1))
    if (word.length > (inner?.length ?? 0)) inner = word;
  return { text, inner };
}

const pathEnd = /[^\w/-]/;

/** A text in which many others are searched for. One of its words is enough to rule out most of them. */
export class Haystack {
  readonly #words: ReadonlySet<string>;
  readonly #pathStarts: ReadonlySet<string>;

  constructor(readonly text: string) {
    this.#words = new Set(text.split(/\s+/));
    this.#pathStarts = new Set(text.split(/[^\w/-]+/));
  }

  holds({ text, inner }: Searchable): boolean {
    return (inner === undefined || this.#words.has(inner)) && this.text.includes(text);
  }

  /** Whether it names exactly this path: `src/data.ts` and `lib/src/a.ts` do not name `a.ts`. */
  names(path: string): boolean {
    const [start = ''] = path.split(pathEnd, 1);
    if (start !== '' && !this.#pathStarts.has(start)) return false;
    const { text } = this;
    for (let at = text.indexOf(path); at >= 0; at = text.indexOf(path, at + 1)) {
      const [before = ' ', after = ' '] = [text[at - 1], text[at + path.length]];
      if (!/[\w/.-]/.test(before) && !/[\w/-]/.test(after)) return true;
    }
    return false;
  }
}
