import type { Asked } from './asked-request.js';
import type { Live } from './live-conversation.js';

/** How many conversations may be in memory, and how many characters they may have together. */
export interface MemoryLimits {
  readonly conversations: number;
  readonly characters: number;
}

/** The conversations in memory, found by their beginnings. */
export class LiveIndex<Native> {
  /** By use, the one used longest ago first; with the hashes by which each is found. */
  readonly #live = new Map<Live<Native>, readonly number[]>();
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
    return this.#live.keys();
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

  /** Notes that one is used; those used longest ago leave, beyond so many and so long ones. */
  remember(live: Live<Native>, limits: MemoryLimits): void {
    const known = this.#byPrefix.get(live.scope) ?? new Map<number, Live<Native>>();
    this.#byPrefix.set(live.scope, known);
    const now = live.hashes;
    const before = this.#live.get(live) ?? [];
    // Each hash is that of everything up to there, so those before the first other one are the same.
    const same = before.findIndex((hash, at) => hash !== now[at]);
    if (same >= 0) release(before.slice(same), live, known);
    // Most are there: to look is faster than to write.
    for (const hash of now) if (known.get(hash) !== live) known.set(hash, live);
    this.#live.delete(live);
    this.#live.set(live, now);
    let characters = [...this.#live.keys()].reduce((sum, one) => sum + one.characters, 0);
    for (const oldest of this.#live.keys()) {
      if (oldest === live || (this.#live.size <= limits.conversations && characters <= limits.characters))
        break;
      characters -= oldest.characters;
      this.forget(oldest);
    }
  }

  forget(live: Live<Native>): void {
    const known = this.#byPrefix.get(live.scope);
    release(this.#live.get(live) ?? [], live, known);
    this.#live.delete(live);
    if (known?.size === 0) this.#byPrefix.delete(live.scope);
  }
}

/** These hashes no longer lead to this conversation. */
function release<Native>(
  hashes: readonly number[],
  live: Live<Native>,
  known: Map<number, Live<Native>> | undefined,
): void {
  for (const hash of hashes) if (known?.get(hash) === live) known.delete(hash);
}
