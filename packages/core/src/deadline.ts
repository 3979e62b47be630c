import { CtxError } from './errors.js';

/**
 * Runs a task that is told to stop, by its signal, when the caller aborts or the time is up, and does not wait for
 * one that goes on regardless.
 * @throws CtxError `timeout` or `aborted`
 */
export async function deadline<T>(
  task: (signal: AbortSignal) => T | Promise<T>,
  limits: { readonly signal?: AbortSignal | undefined; readonly timeoutMs: number },
): Promise<T> {
  if (limits.signal?.aborted) throw aborted(limits.signal.reason);
  const controller = new AbortController();
  const started = task(controller.signal);
  if (!isThenable(started)) return started;

  const { signal, timeoutMs } = limits;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let onAbort: (() => void) | undefined;
  const stopped = new Promise<never>((_resolve, reject) => {
    const stop = (error: CtxError) => {
      controller.abort(error);
      reject(error);
    };
    timer = setTimeout(() => stop(timedOut(timeoutMs)), timeoutMs);
    onAbort = () => stop(aborted(signal?.reason));
    signal?.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([started, stopped]);
  } finally {
    clearTimeout(timer);
    if (onAbort !== undefined) signal?.removeEventListener('abort', onAbort);
  }
}

/** True also for the promise of another library or realm. */
function isThenable<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
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
