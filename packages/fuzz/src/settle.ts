import type { Gate } from './gate.js';
import type { LawBook } from './laws.js';
import type { VirtualTime } from './virtual-time.js';

/** So often at most gates are opened and timers fired for one compression to end. */
const mostRounds = 500;

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Lets what has begun go as far as it can by itself. */
export async function letRun(): Promise<void> {
  await turn();
}

/**
 * Waits for a promise, opening gates and firing timers as long as it needs them.
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
