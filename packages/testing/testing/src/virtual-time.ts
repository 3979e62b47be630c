import type { Wait } from '@ctx/core';

/** Time that passes only when a test says so. Give `now` and `wait` to what is tested: then no result depends on how fast anything is. */
export class VirtualTime {
  readonly #waits = new Set<{ readonly due: number; readonly ms: number; readonly then: () => void }>();
  #now = 0;

  /** Ms since this time began. */
  readonly now = (): number => this.#now;

  readonly wait: Wait = (ms, then) => {
    const one = { due: this.#now + ms, ms, then };
    this.#waits.add(one);
    return () => void this.#waits.delete(one);
  };

  /** The ms of each wait that has begun and not ended. */
  get waits(): readonly number[] {
    return [...this.#waits].map(({ ms }) => ms);
  }

  /** Lets so many ms pass. What is due in them ends in its order. */
  readonly pass = (ms: number): void => {
    const end = this.#now + ms;
    for (;;) {
      const [next] = [...this.#waits].filter(({ due }) => due <= end).sort((a, b) => a.due - b.due);
      if (next === undefined) break;
      this.#waits.delete(next);
      this.#now = Math.max(this.#now, next.due);
      next.then();
    }
    this.#now = end;
  };

  /** Lets time pass until the first wait ends. Returns false if there is none. */
  passOne(): boolean {
    const first = Math.min(...[...this.#waits].map(({ due }) => due));
    if (first === Number.POSITIVE_INFINITY) return false;
    this.pass(Math.max(0, first - this.#now));
    return true;
  }
}
