/** Timers that fire when told to: a history with time limits takes no time, and goes the same way each time. */
export class VirtualTime {
  #timers = new Map<number, { readonly at: number; readonly fire: () => void }>();
  #next = 1;
  #now = 0;

  /** Puts these timers in the place of the real ones; returns what takes them away again. */
  install(): () => void {
    const { setTimeout: set, clearTimeout: clear } = globalThis;
    const start = (fire: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) => {
      const id = this.#next++;
      this.#timers.set(id, { at: this.#now + ms, fire: () => fire(...args) });
      return id;
    };
    globalThis.setTimeout = start as never;
    globalThis.clearTimeout = ((id: number) => this.#timers.delete(id)) as never;
    return () => {
      globalThis.setTimeout = set;
      globalThis.clearTimeout = clear;
    };
  }

  /** Fires the timer that is due first; false where there is none. */
  fireNext(): boolean {
    const [first] = [...this.#timers].sort(([, a], [, b]) => a.at - b.at);
    if (first === undefined) return false;
    const [id, { at, fire }] = first;
    this.#timers.delete(id);
    this.#now = Math.max(this.#now, at);
    fire();
    return true;
  }
}
