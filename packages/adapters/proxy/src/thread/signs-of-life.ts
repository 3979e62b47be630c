import type { Wait } from '@ctx/core';
import { waiting } from '@ctx/core';

/** Ms between two questions while there is work. */
const usualPause = 5_000;
/** Questions without an answer that count as silence: a machine that slept has missed one. */
const mostMissed = 4;

/** Asks a thread for a sign of life as long as it has work: one that runs in a circle would hold its requests forever. */
export class SignsOfLife {
  #waiting = 0;
  #missed = 0;
  #stop: (() => void) | undefined;

  /**
   * @param ask resolves when the thread answers
   * @param silent is told that it does not
   */
  constructor(
    readonly ask: () => Promise<unknown>,
    readonly silent: () => void,
    readonly wait: Wait = waiting,
  ) {}

  async during<Result>(work: Promise<Result>): Promise<Result> {
    this.#waiting += 1;
    this.#stop ??= this.#next();
    try {
      return await work;
    } finally {
      this.#waiting -= 1;
      if (this.#waiting === 0) this.#rest();
    }
  }

  #next(): () => void {
    return this.wait(usualPause, () => {
      this.#stop = this.#next();
      this.#look();
    });
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
    this.#stop?.();
    this.#stop = undefined;
    this.#missed = 0;
  }
}
