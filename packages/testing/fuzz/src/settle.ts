import type { VirtualTime } from '@ctx/testing';
import type { Gate } from './gate.js';
import type { LawBook } from './laws.js';
import type { Pauses } from './pauses.js';

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
  {
    gate,
    pauses,
    time,
    book,
  }: {
    readonly gate: Gate;
    readonly pauses: Pauses;
    readonly time: VirtualTime;
    readonly book: LawBook;
  },
): Promise<T> {
  let isDone = false;
  const done = () => {
    isDone = true;
  };
  promise.then(done, done);
  for (let round = 0; round < mostRounds; round += 1) {
    await turn();
    await pauses.pass();
    if (isDone) break;
    gate.release();
    await turn();
    await pauses.pass();
    if (isDone) break;
    time.passOne();
  }
  book.check('always-ends', isDone ? undefined : 'a compression goes on though nothing holds it back');
  return promise;
}
