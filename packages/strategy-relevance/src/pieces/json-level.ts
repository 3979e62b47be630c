/** An object or array that is open. */
export interface Level {
  readonly open: number;
  /** White space between tokens from the start up to `open`; `keyBlanks` and `runBlanks` are the same for their places. */
  readonly openBlanks: number;
  readonly isArray: boolean;
  /** How many pieces there were when it opened. */
  readonly mark: number;
  keyStart: number;
  keyBlanks: number;
  /** Scalar members that follow each other and have no piece yet; -1 for none. */
  runStart: number;
  runEnd: number;
  runBlanks: number;
  /** Whether the run is the last piece already, put there because an object or array opened. */
  isRunAdded: boolean;
}
