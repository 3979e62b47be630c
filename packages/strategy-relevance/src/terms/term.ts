/** Kinds of terms, the most specific first: a term seen as several kinds is of the first of them. */
export const kinds = [
  'url',
  'email',
  'path',
  'error',
  'id',
  'date',
  'amount',
  'quantity',
  'identifier',
  'quoted',
  'name',
  'number',
  'word',
] as const;

export type TermKind = (typeof kinds)[number];

/** Something that a text mentions. */
export interface Term {
  /** Number of the term in its index, from 0 up in the order of first use. */
  readonly id: number;
  /** Normal form, lower-case: the same for `Booked` and `booking`, for `$20` and `20 dollars`. */
  readonly key: string;
  readonly kind: TermKind;
}
