/** How long the event loop is held before others have their turn. */
const sliceMs = 8;
/** A slice that can't be ended is given up after this. */
const longestSliceMs = 500;

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
  #start = 0;
  #spent = 0;
  #exhausted = false;

  readonly #mostMs: number;

  /** @param mostMs after which the work is to be given up, without the time between slices */
  constructor(signal: AbortSignal | undefined, mostMs = Number.POSITIVE_INFINITY) {
    this.#signal = signal;
    this.#mostMs = mostMs;
  }

  /** Whether it is time for {@link next}. */
  get over(): boolean {
    return performance.now() - this.#start >= sliceMs;
  }

  /** Whether the work is to be given up: this slice, or all together, took too long. Once true, always. */
  get exhausted(): boolean {
    const now = performance.now() - this.#start;
    this.#exhausted ||= this.#start > 0 && (now > longestSliceMs || this.#spent + now > this.#mostMs);
    return this.#exhausted;
  }

  /** @throws Error when the work is to be given up */
  throwIfExhausted(): void {
    if (this.exhausted) throw new Error('The text takes too long to parse');
  }

  /** Waits for the next slice; rejects with the signal's reason once it's aborted, and when the work is to be given up. */
  async next(): Promise<void> {
    this.#signal?.throwIfAborted();
    this.throwIfExhausted();
    if (this.#start > 0) this.#spent += performance.now() - this.#start;
    await turn();
    this.#signal?.throwIfAborted();
    this.#start = performance.now();
  }
}
