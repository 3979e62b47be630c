import type { Asked, Live } from './live-conversation.js';

/** The conversations in memory, found by their beginnings. */
export class LiveIndex<Native> {
  /** By use, the one used longest ago first. */
  readonly #live = new Set<Live<Native>>();
  readonly #byPrefix = new Map<string, Live<Native>>();

  get size(): number {
    return this.#live.size;
  }

  has(live: Live<Native>): boolean {
    return this.#live.has(live);
  }

  /** The one that has the longest beginning in common with a history. */
  longest({ scope, hashes }: Asked<Native>): Live<Native> | undefined {
    for (let at = hashes.length - 1; at >= 0; at -= 1) {
      const live = this.#byPrefix.get(`${scope} ${hashes[at]}`);
      if (live !== undefined) return live;
    }
    return undefined;
  }

  /** Notes that one is used; those used longest ago leave, beyond so many. */
  remember(live: Live<Native>, most: number): void {
    for (const hash of live.hashes) this.#byPrefix.set(`${live.scope} ${hash}`, live);
    this.#live.delete(live);
    this.#live.add(live);
    for (const oldest of this.#live) {
      if (this.#live.size <= Math.max(1, most)) break;
      this.forget(oldest);
    }
  }

  forget(live: Live<Native>): void {
    this.#live.delete(live);
    this.unlink(live);
  }

  /** It is not found until it is remembered again. */
  unlink(live: Live<Native>): void {
    for (const hash of live.hashes) {
      const key = `${live.scope} ${hash}`;
      if (this.#byPrefix.get(key) === live) this.#byPrefix.delete(key);
    }
  }
}
