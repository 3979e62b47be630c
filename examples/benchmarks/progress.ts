const startedAt = performance.now();
let lastAt = startedAt;
let longest = 0;

/** Characters; leaves room for the text beside it in 80 columns. */
const barLength = 24;

/**
 * Shows the current work once it has taken longer than a second: on one line of a terminal, otherwise on a new line at most every five
 * seconds.
 * @param done share of the work that is done, 0–1; drawn as a bar
 */
export function progress(what: string, done?: number): void {
  const said = (done === undefined ? what : `${bar(done)} ${what}`).slice(0, process.stderr.columns ?? 200);
  // A session's name may hold what a terminal takes for a command.
  const text = said.replace(/\p{C}/gu, ' ');
  const now = performance.now();
  const terminal = process.stderr.isTTY === true;
  const isFirst = lastAt === startedAt;
  if (now - startedAt < 1_000 || (!isFirst && now - lastAt < (terminal ? 50 : 5_000))) return;
  lastAt = now;
  longest = Math.max(longest, text.length);
  process.stderr.write(terminal ? `\r${text.padEnd(longest)}\r` : `${text}\n`);
}

function bar(done: number): string {
  const filled = Math.round(done * barLength);
  const percent = `${Math.floor(done * 100)} %`.padStart(5);
  return `[${'█'.repeat(filled)}${'░'.repeat(barLength - filled)}]${percent}`;
}

/** Clears the line. */
export function progressDone(): void {
  if (longest > 0 && process.stderr.isTTY === true) process.stderr.write(`\r${' '.repeat(longest)}\r`);
}
