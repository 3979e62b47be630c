/** The kind and weight of a piece, without its position. */
export interface PieceForm {
  readonly kind: 'line' | 'window' | 'json' | 'failure';
  /** A factor on the piece's worth: 1 is ordinary, more is for failures and summary lines, less is for progress bars and separators. */
  readonly weight: number;
}

/** A part of a text that can be kept by itself. */
export interface Piece extends PieceForm {
  /** Its start in the text, in UTF-16 units. text.slice(start, end) is kept verbatim. */
  readonly start: number;
  readonly end: number;
}

/** Where a text comes from. */
export interface PieceSource {
  readonly path?: string;
}

/** About a millisecond of dividing a text, in UTF-16 units. */
export const stepCharacters = 16_384;

/** The form of an ordinary line. */
export const ordinary: PieceForm = { kind: 'line', weight: 1 };

export function pieceOf(start: number, end: number, { kind, weight }: PieceForm): Piece {
  // Written out because spreading is slow for texts with many pieces.
  return { start, end, kind, weight };
}

/** The lines that a parser has consumed. */
export interface Taken {
  /** The number of complete lines. */
  readonly lines: number;
  /** Where the rest of the next line begins, if part of that line was consumed too. */
  readonly restAt?: number;
}
