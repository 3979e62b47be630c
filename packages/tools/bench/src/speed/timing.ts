import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { median } from '../averages.js';

export interface Timing {
  /** Median, in ms. */
  readonly ms: number;
  /** The fastest run, which garbage collection disturbed least, in ms. */
  readonly fastestMs: number;
}

/** Runs a task again and again, for about `budgetMs` and at least once, and takes the median. `setUp` is not timed. */
export async function timed<T>(
  setUp: () => T | Promise<T>,
  task: (prepared: T) => unknown,
  { budgetMs = 1_500, maxRuns = 25 }: { readonly budgetMs?: number; readonly maxRuns?: number } = {},
): Promise<Timing> {
  const times: number[] = [];
  const end = performance.now() + budgetMs;
  do {
    const prepared = await setUp();
    const start = performance.now();
    await task(prepared);
    times.push(performance.now() - start);
  } while (performance.now() < end && times.length < maxRuns);
  return { ms: median(times), fastestMs: Math.min(...times) };
}

/** The exponent with which time grows between two sizes: 1 is linear, 2 quadratic. */
export function growth(
  small: { size: number; fastestMs: number },
  large: { size: number; fastestMs: number },
): number {
  return Math.log(large.fastestMs / small.fastestMs) / Math.log(large.size / small.size);
}

/** A number of ms with about three digits. */
export function ms(value: number): string {
  return value.toFixed(value < 0.1 ? 3 : value < 10 ? 2 : value < 100 ? 1 : 0);
}

/** In ms: enough for the timer of the histogram to have run before and after. */
const idleMs = 20;
/** A resolution of 1 ms means that a pause of 1 ms is none. */
const resolution = 1;

/** The ms that a task takes, and the longest time of them in which nothing else could run. */
export async function timedWithPause(task: () => Promise<unknown>): Promise<{ ms: number; pauseMs: number }> {
  const delays = monitorEventLoopDelay({ resolution });
  delays.enable();
  await pause(idleMs);
  delays.reset();
  // After a reset the histogram measures from its next tick on.
  await pause(idleMs);
  const start = performance.now();
  await task();
  const ms = performance.now() - start;
  await pause(idleMs);
  delays.disable();
  return { ms, pauseMs: Math.max(0, delays.max / 1e6 - resolution) };
}

/** A figure of the table, with what it should be. */
export interface Figure {
  readonly what: string;
  readonly measured: string;
  readonly goal: string;
  readonly reached: boolean;
}

/** Collects figures, and tells what is being measured. */
export class Figures {
  readonly all: Figure[] = [];

  /** @param step called with what was measured last */
  constructor(readonly step: (what: string) => void) {}

  add(what: string, measured: string, goal: string, reached: boolean): void {
    this.all.push({ what, measured, goal, reached });
  }

  /** A time that should be shorter than so many ms. */
  below(what: string, taken: number, goal: number): void {
    this.add(what, `${ms(taken)} ms`, `< ${goal < 1_000 ? `${goal} ms` : `${goal / 1_000} s`}`, taken < goal);
  }
}
