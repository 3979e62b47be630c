/** How long the event loop is held before others have their turn. */
const sliceMs = 8;

function untilNextLoop() {
  return new Promise<void>((resolve) => {
    if (typeof setImmediate === 'function') setImmediate(resolve);
    else setTimeout(resolve, 0);
  });
}

let lastTurn: Promise<void> = Promise.resolve();

/** Waits for a round of the event loop that nobody else has: all immediates due would run in one round. */
export function turn(): Promise<void> {
  lastTurn = lastTurn.then(untilNextLoop);
  return lastTurn;
}

/** Work that holds the event loop for a short time only. */
export class Slices {
  readonly #signal: AbortSignal | undefined;
  #end = 0;

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
  }

  /** Whether it is time for {@link next}. */
  get over(): boolean {
    return performance.now() >= this.#end;
  }

  /** Waits for the next slice; rejects with the signal's reason once it's aborted. */
  async next(): Promise<void> {
    this.#signal?.throwIfAborted();
    await turn();
    this.#signal?.throwIfAborted();
    this.#end = performance.now() + sliceMs;
  }
}
