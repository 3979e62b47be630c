/** A part of a text that can be kept by itself. */
export interface Piece {
  readonly kind: 'line' | 'window' | 'json';
  /** Its start in the text, in UTF-16 units. text.slice(start, end) is kept verbatim. */
  readonly start: number;
  readonly end: number;
}

/** About a millisecond of dividing a text, in UTF-16 units. */
export const stepCharacters = 16_384;

/** The lines that a parser has consumed. */
export interface Taken {
  /** The number of complete lines. */
  readonly lines: number;
  /** Where the rest of the next line begins, if part of that line was consumed too. */
  readonly restAt?: number;
}
