/** Ms. More than any time limit of a test. */
const long = 3_600_000;

/** Timers wait until a test lets the time pass, so that on a slow machine no time limit ends what works. */
export function holdTimers(): void {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'Date', 'performance'] });
}

/** What never settles; while it is waited for, the time of every limit passes. */
export function hanging(): Promise<never> {
  setImmediate(() => jest.advanceTimersByTime(long));
  return new Promise(() => undefined);
}
