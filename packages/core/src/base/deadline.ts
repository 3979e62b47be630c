import { CtxError } from './errors.js';

/** One time limit for several tasks. */
export interface Deadline {
  /**
   * Runs a task that is told to stop, by its signal, when the caller aborts or the time is up, and does not wait for one
   * that goes on regardless. After that no task is started, and what one gives or fails with all the same is not used.
   * @throws CtxError `timeout` or `aborted`
   */
  run<T>(task: (signal: AbortSignal) => T | Promise<T>): Promise<T>;
  /** To be called when all tasks are done. */
  end(): void;
}

/** Starts the time for tasks that share it. */
export function startDeadline({
  signal,
  timeoutMs,
}: {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs: number;
}): Deadline {
  const controller = new AbortController();
  let stop: (error: CtxError) => void = () => {};
  const stopped = new Promise<never>((_resolve, reject) => {
    stop = (error) => {
      controller.abort(error);
      reject(error);
    };
  });
  // Where no task is waiting nobody is to be told.
  stopped.catch(() => {});
  // biome-ignore lint/style/noRestrictedGlobals: the one timer of core.
  const timer = setTimeout(() => stop(timedOut(timeoutMs)), timeoutMs);
  const onAbort = () => stop(aborted(signal?.reason));
  signal?.addEventListener('abort', onAbort, { once: true });
  return {
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
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    },
  };
}

/** @throws CtxError `aborted` where the caller has aborted */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw aborted(signal.reason);
}

/** True also for the promise of another library or realm. */
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

function aborted(reason: unknown): CtxError {
  return new CtxError({
    code: 'aborted',
    problem: 'The caller aborted the work',
    remedy: 'Nothing was changed; call again when it should run.',
    cause: reason,
  });
}
