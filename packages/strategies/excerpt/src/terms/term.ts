/**
 * Kinds of terms, the most telling first; a term that occurs as several kinds has the first. `name`: a path, an identifier, a URL, an address,
 * an error; `id`: what names a record; `number`: one of four digits or more; `word`: all else.
 */
export const kinds = ['name', 'id', 'number', 'word'] as const;

export type TermKind = (typeof kinds)[number];

/** Something that a text mentions, such as a path, a name or a word. */
export interface Term {
  /** The term's number in its index, from 0, in order of first use. */
  readonly id: number;
  /** Its normal form, in lower case: the same for `Booked` and `booking`. */
  readonly key: string;
  readonly kind: TermKind;
}
