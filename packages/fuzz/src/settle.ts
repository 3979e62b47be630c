import type { Gate } from './gate.js';
import type { LawBook } from './laws.js';
import type { VirtualTime } from './virtual-time.js';

/** The most rounds of opening gates and firing timers until one compression must have ended. */
const mostRounds = 500;

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Lets everything that has started run as far as it can by itself. */
export async function letRun(): Promise<void> {
  await turn();
}

/**
 * Waits for a promise, and opens gates and fires timers until it is settled.
 * @throws LawBroken `always-ends`
 */
export async function settle<T>(
  promise: Promise<T>,
  { gate, time, book }: { readonly gate: Gate; readonly time: VirtualTime; readonly book: LawBook },
): Promise<T> {
  let isDone = false;
  const done = () => {
    isDone = true;
  };
  promise.then(done, done);
  for (let round = 0; round < mostRounds; round += 1) {
    await turn();
    if (isDone) break;
    gate.release();
    await turn();
    if (isDone) break;
    time.fireNext();
  }
  book.check('always-ends', isDone ? undefined : 'a compression goes on though nothing holds it back');
  return promise;
}
