/** The longest time for which the event loop is blocked. */
const sliceMs = 8;
/** Work is given up if one slice takes longer than this, in ms of CPU. Some steps cannot be interrupted. */
const longestSliceMs = 500;
/** Ms between two looks at how much was worked: a look takes longer than much of the work, as it asks the system. */
const lookMs = 1;

/**
 * Ms of CPU that this process has used, or wall-clock time if CPU time is unknown: on a busy machine a process waits without working, which is no reason
 * to give up.
 */
function workedMs(): number {
  if (typeof process === 'undefined' || typeof process.cpuUsage !== 'function') return performance.now();
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function untilNextLoop() {
  return new Promise<void>((resolve) => {
    if (typeof setImmediate === 'function') setImmediate(resolve);
    else setTimeout(resolve, 0);
  });
}

let lastTurn: Promise<void> = Promise.resolve();

/** Waits for a separate round of the event loop. Without this, all due immediates would run in the same round. */
export function turn(): Promise<void> {
  lastTurn = lastTurn.then(untilNextLoop);
  return lastTurn;
}

/** Divides work into slices that block the event loop only for a short time. */
export class Slices {
  readonly #signal: AbortSignal | undefined;
  #start = 0;
  /** The same moment in ms of CPU. */
  #worked = 0;
  #spent = 0;
  #exhausted = false;
  #looked = Number.NEGATIVE_INFINITY;

  readonly #mostMs: number;

  /** @param mostMs the most ms of CPU that the work may take, without what is done between slices */
  constructor(signal: AbortSignal | undefined, mostMs = Number.POSITIVE_INFINITY) {
    this.#signal = signal;
    this.#mostMs = mostMs;
  }

  /** Whether it is time to call {@link next}. */
  get over(): boolean {
    return performance.now() - this.#start >= sliceMs;
  }

  /** Whether to give up the work, because this slice or all slices together took too long. Stays true. */
  get exhausted(): boolean {
    const time = performance.now();
    if (time - this.#looked < lookMs) return this.#exhausted;
    this.#looked = time;
    const now = workedMs() - this.#worked;
    this.#exhausted ||= this.#start > 0 && (now > longestSliceMs || this.#spent + now > this.#mostMs);
    return this.#exhausted;
  }

  /** @throws Error if the work must be given up */
  throwIfExhausted(): void {
    if (this.exhausted) throw new Error('The text takes too long to parse');
  }

  /** Waits for the next slice. Rejects if the signal is aborted, with its reason, or if the work must be given up. */
  async next(): Promise<void> {
    this.#signal?.throwIfAborted();
    this.throwIfExhausted();
    if (this.#start > 0) this.#spent += workedMs() - this.#worked;
    await turn();
    this.#signal?.throwIfAborted();
    this.#start = performance.now();
    this.#worked = workedMs();
  }
}
