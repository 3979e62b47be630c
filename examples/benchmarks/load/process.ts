import { type ChildProcess, fork } from 'node:child_process';
import { setPriority } from 'node:os';
import type { IntervalHistogram } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';

/** Ms since epoch, with parts of a ms: the same for all processes of a machine. */
export const now = () => performance.timeOrigin + performance.now();
export const tell = (value: unknown) => process.send?.(value);
export const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** The next message of a process. Fails if the process ends before. */
export const told = (child: ChildProcess) =>
  new Promise<unknown>((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`${child.spawnargs} ended early: ${code}`));
    child.once('exit', ended);
    child.once('message', (message) => {
      child.off('exit', ended);
      resolve(message);
    });
  });

/**
 * Starts a file beside this one, and waits for the first thing that it tells.
 * @param niceness how far it gives way to other processes, from 0 to 19
 */
export async function started(
  name: string,
  args: readonly string[] = [],
  niceness = 0,
): Promise<readonly [ChildProcess, unknown]> {
  const child = fork(fileURLToPath(new URL(`./${name}.ts`, import.meta.url)), args);
  setPriority(child.pid as number, niceness);
  return [child, await told(child)];
}

/** Ms of pauses of an event loop: 50, 99, 99.9 and 100 % are shorter. */
export const pausesIn = (delay: IntervalHistogram) =>
  [50, 99, 99.9, 100].map((part) => (part === 100 ? delay.max : delay.percentile(part)) / 1e6);

/** Ms. No pause should be longer. */
const longestPause = 20;

/** Counts pauses over 20 ms by a timer of its own: the histogram does not say how often. */
export function longPauses(): { count: number } {
  const pauses = { count: 0 };
  let last = performance.now();
  setInterval(() => {
    const time = performance.now();
    if (time - last > longestPause) pauses.count += 1;
    last = time;
  }, 2).unref();
  return pauses;
}

/** The value below which a part of all lies. */
export function percentile(all: readonly number[], part: number): number {
  const sorted = [...all].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
