/** Timers that fire on command, so that a history with time limits takes no time and is the same each time. */
export class VirtualTime {
  #timers = new Map<number, { readonly at: number; readonly fire: () => void }>();
  #next = 1;
  #now = 0;

  /** Replaces the real timers by these. Returns a function that restores them. */
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

  /** Fires the timer that is due first. Returns false if there is none. */
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
