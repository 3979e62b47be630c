/** Scalar members that follow each other and may become one piece. */
interface Run {
  readonly start: number;
  end: number;
  /** White space between tokens from the start of the text up to `start`. */
  readonly blanks: number;
  /** Whether it has been added as the last piece, because an object or array opened. */
  isAdded: boolean;
}

/** An object or array that is open. */
export interface Level {
  readonly open: number;
  /** White space between tokens from the start of the text up to `open`; `keyBlanks` is the same for `keyStart`. */
  readonly openBlanks: number;
  readonly isArray: boolean;
  /** How many pieces there were when it opened. */
  readonly mark: number;
  keyStart: number;
  keyBlanks: number;
  run: Run | undefined;
}
