import type { Asked } from './asked-request.js';
import type { Live } from './live-conversation.js';
import { commonLength } from './prefix-hashes.js';

/** How many conversations may be in memory, and how many characters they may have together. */
export interface MemoryLimits {
  readonly conversations: number;
  readonly characters: number;
}

/** The conversations in memory, found by their beginnings. */
export class LiveIndex<Native> {
  /** By use, the one used longest ago first; with the scope and the hash of the first message by which each is found. */
  readonly #live = new Map<Live<Native>, string>();
  /** The same, together with those that begin with the same message. */
  readonly #kin = new Map<string, Set<Live<Native>>>();

  get size(): number {
    return this.#live.size;
  }

  /** The number of beginnings by which they are found. */
  get beginnings(): number {
    return this.#kin.size;
  }

  [Symbol.iterator](): Iterator<Live<Native>> {
    return this.#live.keys();
  }

  has(live: Live<Native>): boolean {
    return this.#live.has(live);
  }

  /**
   * The one in which a history goes on: that with the longest beginning in common of those that are free for it; if none is, the one from
   * which it departs last. Of several, the one used last.
   */
  bestFor(asked: Asked<Native>): Live<Native> | undefined {
    const { scope, hashes } = asked;
    let best: { readonly live: Live<Native>; readonly isFree: boolean; readonly common: number } | undefined;
    for (const live of this.#kin.get(beginningOf(scope, hashes[0])) ?? []) {
      const common = commonLength(live.hashes, hashes);
      if (common === 0) continue;
      const isFree = live.isFreeFor(asked);
      if (best === undefined || (best.isFree === isFree ? common >= best.common : isFree))
        best = { live, isFree, common };
    }
    return best?.live;
  }

  /**
   * The one from which most is known of what the provider will count, in another session or with another model: that with the longest beginning
   * in common. Of several, that with the same model, used last.
   */
  relativeOf(asked: Asked<Native>): Live<Native> | undefined {
    let best: { readonly live: Live<Native>; readonly rank: number } | undefined;
    for (const live of this.#live.keys()) {
      if (!live.isOfSender(asked)) continue;
      const rank = 2 * commonLength(live.hashes, asked.hashes) + (live.model === asked.request.model ? 1 : 0);
      if (rank > 0 && rank >= (best?.rank ?? 0)) best = { live, rank };
    }
    return best?.live;
  }

  /** Notes that one is used; those used longest ago leave, beyond so many and so long ones. */
  remember(live: Live<Native>, limits: MemoryLimits): void {
    this.forget(live);
    const beginning = beginningOf(live.scope, live.hashes[0]);
    this.#live.set(live, beginning);
    this.#kin.set(beginning, (this.#kin.get(beginning) ?? new Set()).add(live));
    let characters = [...this.#live.keys()].reduce((sum, one) => sum + one.characters, 0);
    for (const oldest of this.#live.keys()) {
      if (oldest === live || (this.#live.size <= limits.conversations && characters <= limits.characters))
        break;
      characters -= oldest.characters;
      this.forget(oldest);
    }
  }

  forget(live: Live<Native>): void {
    const beginning = this.#live.get(live) ?? '';
    const kin = this.#kin.get(beginning);
    kin?.delete(live);
    if (kin?.size === 0) this.#kin.delete(beginning);
    this.#live.delete(live);
  }
}

const beginningOf = (scope: string, first: number | undefined) => `${scope} ${first}`;
