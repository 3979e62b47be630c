/** Waits for everything that does not wait for a timer; the loop's own turn stays real where timers are faked. */
export const turn: () => Promise<void> = () => new Promise((resolve) => setImmediate(resolve));

/** Timers that are let go by before a task counts as hanging forever. */
const mostTimers = 100;

/** True while work waits for the next turn of the event loop, which needs no timer. */
const isPausing = () => process.getActiveResourcesInfo().includes('Immediate');

/**
 * Lets jest's fake clock go on, from timer to timer, until a task has ended, and returns what it came to. For tasks that wait for
 * nothing but promises and timers. Call `jest.useFakeTimers({ doNotFake: ['setImmediate'] })` before.
 * @throws Error where it waits for something that never comes
 */
export async function settled<Value>(task: Promise<Value>): Promise<PromiseSettledResult<Value>> {
  let result: PromiseSettledResult<Value> | undefined;
  task.then(
    (value) => {
      result = { status: 'fulfilled', value };
    },
    (reason: unknown) => {
      result = { status: 'rejected', reason };
    },
  );
  for (let timers = 0; timers <= mostTimers; timers += 1) {
    do await turn();
    while (result === undefined && isPausing());
    if (result !== undefined) return result;
    if (jest.getTimerCount() === 0) break;
    jest.advanceTimersToNextTimer();
  }
  throw new Error('The task waits for something that never comes');
}
