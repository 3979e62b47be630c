/** A part of a text that can be kept on its own. */
export interface Piece {
  /** Where it begins in the text, in UTF-16 units: text.slice(start, end) is what is kept, verbatim. */
  readonly start: number;
  readonly end: number;
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
  readonly under?: number;
}

/** What is known of where a text comes from. */
export interface PieceSource {
  readonly path?: string;
}
