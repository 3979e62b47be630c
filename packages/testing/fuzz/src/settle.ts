import type { VirtualTime } from '@ctx/testing';
import type { LawBook } from './laws.js';

/** Lets everything that has started run as far as it can by itself. */
export const letRun = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A gate at which slow stages wait until it opens. */
export class Gate {
  #open: () => void = () => {};
  #opened: Promise<void> = Promise.resolve();

  constructor() {
    this.close();
  }

  get opened(): Promise<void> {
    return this.#opened;
  }

  /** Lets all that wait now continue. Later arrivals wait for the next call. */
  release(): void {
    this.#open();
    this.close();
  }

  private close(): void {
    this.#opened = new Promise((resolve) => {
      this.#open = resolve;
    });
  }
}

/** Where compressions wait between two slices until they are let go on, so that other steps can come in between. */
export class Pauses {
  readonly #waiting: (() => void)[] = [];

  /** The `pause` of a manager's slices. */
  readonly pause = (): Promise<void> =>
    new Promise((resolve) => {
      this.#waiting.push(resolve);
    });

  /** Ends pauses, one after the other, until nobody waits or this many have ended. */
  async pass(most = Number.POSITIVE_INFINITY): Promise<void> {
    for (let passed = 0; passed < most; passed += 1) {
      const end = this.#waiting.shift();
      if (end === undefined) return;
      end();
      await letRun();
    }
  }
}

/** The most rounds of opening gates and firing timers until one compression must have ended. */
const mostRounds = 500;

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
    await letRun();
    await pauses.pass();
    if (isDone) break;
    gate.release();
    await letRun();
    await pauses.pass();
    if (isDone) break;
    time.passOne();
  }
  book.check('always-ends', isDone ? undefined : 'a compression goes on though nothing holds it back');
  return promise;
}
