/** Ms between two questions while there is work. */
const usualPause = 5_000;
/** Questions without an answer that count as silence: a machine that slept has missed one. */
const mostMissed = 4;

/** Asks a thread for a sign of life as long as it has work: one that runs in a circle would hold its requests for ever. */
export class SignsOfLife {
  #waiting = 0;
  #missed = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  /**
   * @param ask resolves when the thread answers
   * @param silent is told that it does not
   */
  constructor(
    readonly ask: () => Promise<unknown>,
    readonly silent: () => void,
    readonly pauseMs = usualPause,
  ) {}

  async during<Result>(work: Promise<Result>): Promise<Result> {
    this.#waiting += 1;
    this.#timer ??= setInterval(() => this.#look(), this.pauseMs);
    try {
      return await work;
    } finally {
      this.#waiting -= 1;
      if (this.#waiting === 0) this.#rest();
    }
  }

  #look(): void {
    if (this.#missed === mostMissed) {
      this.silent();
      return;
    }
    this.#missed += 1;
    this.ask().then(
      () => {
        this.#missed = 0;
      },
      () => {},
    );
  }

  #rest(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#missed = 0;
  }
}
