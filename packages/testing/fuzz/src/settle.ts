import type { VirtualTime } from '@ctx/testing';
import type { LawBook } from './laws.js';

/** Lets everything that has started run as far as it can by itself. */
export const letRun = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Where things wait until they are let go on. */
export class Waiting {
  readonly #waiting: (() => void)[] = [];

  readonly wait = (): Promise<void> => new Promise((resolve) => void this.#waiting.push(resolve));

  /** Lets all that wait now go on at once. */
  release(): void {
    for (const end of this.#waiting.splice(0)) end();
  }

  /** Lets one after the other go on, until nobody waits or this many have. */
  async pass(most = Number.POSITIVE_INFINITY): Promise<void> {
    for (let passed = 0; passed < most && this.#waiting.length > 0; passed += 1) {
      this.#waiting.shift()?.();
      await letRun();
    }
  }
}

/** What the managers of a history wait for. */
export interface Waits {
  /** Where slow stages wait. */
  readonly gate: Waiting;
  /** Where compressions wait between two slices, so that other steps can come in between. */
  readonly pauses: Waiting;
  readonly time: VirtualTime;
}

/** The most rounds of opening gates and firing timers until one compression must have ended. */
const mostRounds = 500;

/**
 * Waits for a promise, and opens gates and fires timers until it is settled.
 * @throws LawBroken `always-ends`
 */
export async function settle<T>(
  promise: Promise<T>,
  { gate, pauses, time }: Waits,
  book: LawBook,
): Promise<T> {
  let isDone = false;
  const done = () => {
    isDone = true;
  };
  promise.then(done, done);
  for (let turn = 0; turn < 2 * mostRounds && !isDone; turn += 1) {
    await letRun();
    await pauses.pass();
    if (isDone) break;
    if (turn % 2 === 0) gate.release();
    else time.passOne();
  }
  book.holds('always-ends', isDone, 'a compression goes on though nothing holds it back');
  return promise;
}
