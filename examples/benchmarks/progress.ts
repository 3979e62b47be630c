let longest = 0;

/**
 * Shows the current work on one line of a terminal.
 * @param done share of the work that is done, 0–1
 */
export function progress(what: string, done?: number): void {
  if (process.stderr.isTTY !== true) return;
  const said = done === undefined ? what : `${Math.floor(done * 100)} % ${what}`;
  // A session's name may hold what a terminal takes for a command.
  const text = said.replace(/\p{C}/gu, ' ').slice(0, process.stderr.columns);
  longest = Math.max(longest, text.length);
  process.stderr.write(`\r${text.padEnd(longest)}\r`);
}

/** Clears the line. */
export const progressDone = () => progress('');
