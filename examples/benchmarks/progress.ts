const startedAt = performance.now();
let lastAt = startedAt;
let longest = 0;

/**
 * Says what is being worked on, once the work has taken longer than a second: on one line of a terminal, else on a line
 * of its own every five seconds at most.
 */
export function progress(text: string): void {
  const now = performance.now();
  const terminal = process.stderr.isTTY === true;
  const said = lastAt > startedAt;
  if (now - startedAt < 1_000 || (said && now - lastAt < (terminal ? 50 : 5_000))) return;
  lastAt = now;
  longest = Math.max(longest, text.length);
  process.stderr.write(terminal ? `\r${text.padEnd(longest)}\r` : `${text}\n`);
}

/** Clears the line. */
export function progressDone(): void {
  if (longest > 0 && process.stderr.isTTY === true) process.stderr.write(`\r${' '.repeat(longest)}\r`);
}
