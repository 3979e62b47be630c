import type { Asked } from './asked-request.js';
import type { Live } from './live-conversation.js';
import { commonLength } from './prefix-hashes.js';

/** The conversations in memory, found by their beginnings. */
export class LiveIndex<Native> {
  /** By use, the one used longest ago first. */
  readonly #live = new Set<Live<Native>>();

  constructor(
    readonly mostConversations: number,
    readonly mostCharacters: number,
  ) {}

  get size(): number {
    return this.#live.size;
  }

  [Symbol.iterator](): Iterator<Live<Native>> {
    return this.#live.keys();
  }

  /**
   * The one in which a history goes on: that with the longest beginning in common of those that are free for it; if none is, the one from
   * which it departs last. Of several, the one used last.
   */
  bestFor(asked: Asked<Native>): Live<Native> | undefined {
    return this.#best((live) => {
      const common = live.scope === asked.scope ? commonLength(live.hashes, asked.hashes) : 0;
      return common > 0 && live.isFreeFor(asked) ? common + asked.hashes.length : common;
    });
  }

  /**
   * The one from which most is known of what the provider will count, in another session or with another model: that with the longest beginning
   * in common. Of several, that with the same model, used last.
   */
  relativeOf(asked: Asked<Native>): Live<Native> | undefined {
    return this.#best((live) => {
      if (!live.isOfSender(asked)) return 0;
      return 2 * commonLength(live.hashes, asked.hashes) + (live.model === asked.request.model ? 1 : 0);
    });
  }

  /** That with the highest rank above 0; of several, the one used last. */
  #best(rankOf: (live: Live<Native>) => number): Live<Native> | undefined {
    let best: { readonly live: Live<Native>; readonly rank: number } | undefined;
    for (const live of this.#live) {
      const rank = rankOf(live);
      if (rank > 0 && rank >= (best?.rank ?? 0)) best = { live, rank };
    }
    return best?.live;
  }

  /** Notes that one is used; those used longest ago leave, beyond so many and so long ones. */
  remember(live: Live<Native>): void {
    this.#live.delete(live);
    this.#live.add(live);
    let characters = [...this.#live].reduce((sum, one) => sum + one.characters, 0);
    for (const oldest of this.#live) {
      const fits = this.#live.size <= this.mostConversations && characters <= this.mostCharacters;
      if (oldest === live || fits) break;
      characters -= oldest.characters;
      this.#live.delete(oldest);
    }
  }

  forget(live: Live<Native>): void {
    this.#live.delete(live);
  }
}
