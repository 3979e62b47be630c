/** What the command returns to the shell; `exitCodeTexts` says what each means. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  input: 3,
  output: 4,
  short: 5,
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
