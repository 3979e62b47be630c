/** Consecutive scalar members that may become one piece. */
interface Run {
  readonly start: number;
  end: number;
  /** The white space between tokens before `start`, from the start of the text. */
  readonly blanks: number;
  /** Whether it has been added as the last piece, because an object or array was opened. */
  isAdded: boolean;
}

/** An object or array that is open. */
export interface Level {
  readonly open: number;
  /** The white space between tokens before `open`, from the start of the text; `keyBlanks` is the same for `keyStart`. */
  readonly openBlanks: number;
  readonly isArray: boolean;
  /** The number of pieces when it was opened. */
  readonly mark: number;
  keyStart: number;
  keyBlanks: number;
  run: Run | undefined;
}
