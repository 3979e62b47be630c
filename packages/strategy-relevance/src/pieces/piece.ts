/** Kind and weight of a piece, without its place. */
export interface PieceForm {
  readonly kind: 'line' | 'window' | 'json' | 'hunk' | 'frame' | 'failure' | 'row';
  /**
   * Factor on the piece's worth: 1 is ordinary, > 1 for failures and summary lines, < 1 for boilerplate such as frames of
   * dependencies, progress bars and separators.
   */
  readonly weight: number;
  /**
   * Index in the list of an earlier piece that gives this one its meaning and comes with it when chosen: a table's header,
   * a diff's hunk header, the first line of a stack trace.
   */
  readonly under?: number | undefined;
}

/** A part of a text that can be kept on its own. */
export interface Piece extends PieceForm {
  /** Where it begins in the text, in UTF-16 units: text.slice(start, end) is what is kept, verbatim. */
  readonly start: number;
  readonly end: number;
}

/** What is known about the origin of a text. */
export interface PieceSource {
  readonly path?: string;
}

/** The form of an ordinary line. */
export const ordinary: PieceForm = { kind: 'line', weight: 1 };

export function pieceOf(start: number, end: number, { kind, weight, under }: PieceForm): Piece {
  // Written out, because a spread is slow for texts with many pieces.
  return under === undefined ? { start, end, kind, weight } : { start, end, kind, weight, under };
}

/** What a parser took of a text. */
export interface Taken {
  /** How many lines it took as a whole. */
  readonly lines: number;
  /** Where the rest of the next line begins, if part of that line was taken too. */
  readonly restAt?: number;
}
