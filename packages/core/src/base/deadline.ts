import { CtxError } from './errors.js';

/** Calls `then` once after so many ms, and returns a function that prevents it. */
export type Wait = (ms: number, then: () => void) => () => void;

/** Waits by the timer of the runtime. */
export const waiting: Wait = (ms, then) => {
  // biome-ignore lint/style/noRestrictedGlobals: the one timer of core; a host may inject its own.
  const timer = setTimeout(then, ms);
  return () => clearTimeout(timer);
};

/** A time limit that several tasks share. */
export interface Deadline {
  /** Aborts with the error of `run` when the caller aborts or the time is up. */
  readonly signal: AbortSignal;
  /**
   * Runs a task. When the caller aborts or the time is up, the task's signal tells it to stop, and `run` rejects
   * without waiting for it. After that no task is started, and any late result or error is ignored.
   * @throws CtxError `timeout` or `aborted`
   */
  run<T>(task: (signal: AbortSignal) => T | Promise<T>): Promise<T>;
  end(): void;
}

export interface Limits {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs: number;
  /** @default the timer of the runtime */
  readonly wait?: Wait | undefined;
}

export function startDeadline({ signal, timeoutMs, wait = waiting }: Limits): Deadline {
  const controller = new AbortController();
  let stop: (error: CtxError) => void = () => {};
  const stopped = new Promise<never>((_resolve, reject) => {
    stop = (error) => {
      controller.abort(error);
      reject(error);
    };
  });
  // With no task running, nobody handles this rejection.
  stopped.catch(() => {});
  const cancel = wait(timeoutMs, () => stop(timedOut(timeoutMs)));
  const onAbort = () => stop(aborted(signal?.reason));
  signal?.addEventListener('abort', onAbort, { once: true });
  return {
    signal: controller.signal,
    async run(task) {
      throwIfAborted(signal);
      controller.signal.throwIfAborted();
      try {
        const started = task(controller.signal);
        return isThenable(started) ? await Promise.race([started, stopped]) : started;
      } finally {
        controller.signal.throwIfAborted();
      }
    },
    end() {
      cancel();
      signal?.removeEventListener('abort', onAbort);
    },
  };
}

/** Runs one task under limits of its own, as `Deadline.run` does. */
export async function within<T>(limits: Limits, task: (signal: AbortSignal) => T | Promise<T>): Promise<T> {
  const deadline = startDeadline(limits);
  try {
    return await deadline.run(task);
  } finally {
    deadline.end();
  }
}

/** @throws CtxError `aborted` if the caller has aborted */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw aborted(signal.reason);
}

/** True also for a promise of another library or realm. */
export function isThenable<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function';
}

function timedOut(timeoutMs: number): CtxError {
  return new CtxError({
    code: 'timeout',
    problem: `The work took longer than ${timeoutMs} ms`,
    place: 'timeoutMs',
    value: timeoutMs,
    remedy: 'Give it more time with timeoutMs in the configuration.',
  });
}

export function aborted(reason: unknown): CtxError {
  return new CtxError({
    code: 'aborted',
    problem: 'The caller aborted the work',
    remedy: 'Nothing was changed; call again when it should run.',
    cause: reason,
  });
}
