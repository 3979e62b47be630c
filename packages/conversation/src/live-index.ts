import type { Asked, Live } from './live-conversation.js';

/** The conversations in memory, found by their beginnings. */
export class LiveIndex<Native> {
  /** By use, the one used longest ago first. */
  readonly #live = new Set<Live<Native>>();
  /** By the hashes of their beginnings, for each scope. */
  readonly #byPrefix = new Map<string, Map<number, Live<Native>>>();

  get size(): number {
    return this.#live.size;
  }

  /** The number of beginnings by which they are found. */
  get beginnings(): number {
    return [...this.#byPrefix.values()].reduce((sum, known) => sum + known.size, 0);
  }

  [Symbol.iterator](): Iterator<Live<Native>> {
    return this.#live[Symbol.iterator]();
  }

  has(live: Live<Native>): boolean {
    return this.#live.has(live);
  }

  /**
   * The one in which a history goes on: that with the longest beginning in common of those that are free for it; if none is, the one from
   * which it departs last.
   */
  bestFor(asked: Asked<Native>): Live<Native> | undefined {
    const { scope, hashes } = asked;
    const known = this.#byPrefix.get(scope);
    if (known === undefined) return undefined;
    let longest: Live<Native> | undefined;
    for (let at = hashes.length - 1; at >= 0; at -= 1) {
      const live = known.get(hashes[at] as number);
      if (live?.isFreeFor(asked)) return live;
      longest ??= live;
    }
    return longest;
  }

  /** One that begins with a message of this hash. */
  beginningWith(scope: string, first: number): Live<Native> | undefined {
    return this.#byPrefix.get(scope)?.get(first);
  }

  /** Notes that one is used; those used longest ago leave, beyond so many. */
  remember(live: Live<Native>, most: number): void {
    const known = this.#byPrefix.get(live.scope) ?? new Map<number, Live<Native>>();
    this.#byPrefix.set(live.scope, known);
    for (const hash of live.hashes) known.set(hash, live);
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
    const known = this.#byPrefix.get(live.scope);
    if (known === undefined) return;
    for (const hash of live.hashes) if (known.get(hash) === live) known.delete(hash);
    if (known.size === 0) this.#byPrefix.delete(live.scope);
  }
}
