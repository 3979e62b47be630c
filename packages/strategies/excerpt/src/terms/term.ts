/** Kinds of terms, the most specific first. A term that occurs as several kinds has the most specific one. */
export const kinds = [
  'url',
  'email',
  'path',
  'error',
  'id',
  'date',
  'quantity',
  'identifier',
  'quoted',
  'name',
  'number',
  'word',
] as const;

export type TermKind = (typeof kinds)[number];

/** Something that a text mentions, such as a path, a name or a date. */
export interface Term {
  /** The term's number in its index, from 0, in order of first use. */
  readonly id: number;
  /** Its normal form, in lower case: the same for `Booked` and `booking`. */
  readonly key: string;
  readonly kind: TermKind;
}
