/** What the command returns to the shell. */
export const exitCodes = {
  /** It did what it was asked for. */
  done: 0,
  /** It failed for a reason that is not the user's: please report it. */
  failed: 1,
  /** A command, an option or a value does not exist or can't work. */
  usage: 2,
  /** A session can't be found or read, or has nothing to work with. */
  input: 3,
  /** The result can't be written. */
  output: 4,
  /** The compression did not reach its target. The result was written. */
  short: 5,
  /** Ctrl-C. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** What the codes mean, as `ctx --help` shows them. */
export const exitCodeTexts: readonly (readonly [code: ExitCode, meaning: string])[] = [
  [exitCodes.done, 'done'],
  [exitCodes.failed, 'a fault of ctx itself'],
  [exitCodes.usage, 'a command, an option or a value that does not exist or can’t work'],
  [exitCodes.input, 'a session that can’t be found or read, or has nothing to work with'],
  [exitCodes.output, 'a result that can’t be written'],
  [exitCodes.short, 'a compression that did not reach its target; its result is written'],
  [exitCodes.interrupted, 'Ctrl-C'],
];
