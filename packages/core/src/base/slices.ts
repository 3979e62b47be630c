import { aborted } from './deadline.js';
import { CtxError } from './errors.js';

/**
 * Work that yields wherever it may pause. A step, from one yield to the next, should take less than a millisecond.
 * Divide work into parts with `yield*`.
 */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** How long work holds the event loop. */
export interface SliceOptions {
  /**
   * Ms of work after which the event loop turns. Infinity never pauses.
   * @default 8
   */
  readonly sliceMs?: number | undefined;
  /**
   * Resolves after the event loop has turned. If it fails, the work continues without a pause.
   * @default setImmediate, otherwise a MessageChannel, otherwise setTimeout
   */
  readonly pause?: (() => unknown) | undefined;
  /**
   * Ms from any origin. It may stand still, as in some workers; then the work pauses after every 100 steps.
   * @default performance.now
   */
  readonly clock?: (() => number) | undefined;
  /**
   * Does the work, in slices that it shares with what else is given to it. The other options are then not used.
   * @default one of its own, made of the other options
   */
  readonly shared?: RunInSlices | undefined;
}

/** Runs steps to their end, with pauses. */
export type RunInSlices = <Result>(steps: Steps<Result>, signal?: AbortSignal | undefined) => Promise<Result>;

/** Half of a frame at 60 Hz, so that input and timers are served in time. */
const defaultSliceMs = 8;
/** Steps between two pauses if the clock stands still. A step takes at most about 0.1 ms on average. */
const stepsWithoutClock = 100;
/** Items of a list per step, if each takes some microseconds. */
export const itemsPerStep = 64;

// Taken when the module is loaded, because a host may replace the globals later, for example by fake timers in a test.
// biome-ignore lint/style/noRestrictedGlobals: measures how long core holds the event loop; no result depends on it.
const stopwatch = performance.now.bind(performance);
/** Resolves after the event loop has turned. */
export const nextTurn = pauseOfThisRuntime();

/** Does something with each item, and may pause before each. */
export function* inSteps<Item>(items: Iterable<Item>, task: (item: Item) => unknown): Steps<void> {
  for (const item of items) {
    yield;
    task(item);
  }
}

/** Runs work to its end without a pause. */
export function finish<Result>(steps: Steps<Result>): Result {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

/**
 * Runs work in slices and lets the event loop turn after each of them. The result is the same as that of `finish`.
 * @throws CtxError `aborted` when the signal aborts between slices; whatever the work throws
 */
export function inSlices<Result>(
  steps: Steps<Result>,
  { signal, ...options }: SliceOptions & { readonly signal?: AbortSignal | undefined } = {},
): Promise<Result> {
  return slicer(options)(steps, signal);
}

/** Runs several works in turn, which share their slices: a slice that one of them begins is continued by the next. */
export function slicer({
  sliceMs = defaultSliceMs,
  pause = nextTurn,
  clock = stopwatch,
  shared,
}: SliceOptions = {}): RunInSlices {
  if (shared !== undefined) return shared;
  let latest = clock();
  let start = latest;
  let steps = 0;
  const isOver = () => {
    if (sliceMs === Number.POSITIVE_INFINITY) return false;
    const now = clock();
    steps = now === latest ? steps + 1 : 0;
    latest = now;
    return now - start >= sliceMs || steps >= stepsWithoutClock;
  };
  const turn = async () => {
    try {
      await pause();
    } catch {}
    start = clock();
    latest = start;
    steps = 0;
  };
  return async (work, signal) => {
    throwIfStopped(work, signal);
    for (let step = work.next(); ; step = work.next()) {
      if (step.done === true) return step.value;
      if (!isOver()) continue;
      await turn();
      throwIfStopped(work, signal);
    }
  };
}

function throwIfStopped(work: Steps<unknown>, signal: AbortSignal | undefined): void {
  if (!signal?.aborted) return;
  // Lets the work release what it holds.
  work.return(undefined);
  throw CtxError.isInstance(signal.reason) ? signal.reason : aborted(signal.reason);
}

interface Ports {
  readonly port1: { onmessage: () => void; close(): void };
  readonly port2: { postMessage(message: unknown): void };
}

function pauseOfThisRuntime(): () => Promise<void> {
  // biome-ignore lint/style/noRestrictedGlobals: the one place where core lets the event loop turn.
  const immediate = typeof setImmediate === 'function' ? setImmediate : undefined;
  if (immediate !== undefined) return () => new Promise((resolve) => void immediate(resolve));
  if (typeof MessageChannel === 'function') {
    const Channel = MessageChannel;
    return () =>
      new Promise((resolve) => {
        const { port1, port2 } = new Channel() as unknown as Ports;
        port1.onmessage = () => {
          port1.close();
          resolve();
        };
        port2.postMessage(undefined);
      });
  }
  // biome-ignore lint/style/noRestrictedGlobals: browsers wait 4 ms, but nothing else is there.
  const later = setTimeout;
  return () => new Promise((resolve) => void later(resolve, 0));
}
