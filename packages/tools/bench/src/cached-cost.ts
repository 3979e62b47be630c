import type { Message, Settings } from '@ctx/core';
import { totalTokens } from './count-tokens.js';
import { remembered } from './remembered.js';

/** Prices of an input token that is read from or written to the prompt cache, relative to an ordinary one. */
export const usualPrices: CachePrices = { cacheRead: 0.1, cacheWrite: 1.25 };

export type CachePrices = Pick<Settings['prices'], 'cacheRead' | 'cacheWrite'>;

/** The price of requests with prompt caching: everything from the start that equals the request before is read from the cache. */
export class CachedCost {
  total = 0;
  #before: readonly Message[] = [];
  readonly #json = remembered((message: Message) => JSON.stringify(message), new WeakMap());

  constructor(
    readonly tokensOf: (message: Message) => number,
    readonly prices: CachePrices = usualPrices,
  ) {}

  /** Returns whether the request extends the one before. */
  add(view: readonly Message[]): boolean {
    let same = 0;
    while (same < view.length && this.#isSame(view[same], this.#before[same])) same += 1;
    const cached = totalTokens(view.slice(0, same), this.tokensOf);
    const { cacheRead, cacheWrite } = this.prices;
    this.total += cached * cacheRead + totalTokens(view.slice(same), this.tokensOf) * cacheWrite;
    const extended = same === this.#before.length;
    this.#before = view;
    return extended;
  }

  #isSame(message: Message | undefined, other: Message | undefined): boolean {
    if (message === undefined || other === undefined) return false;
    return message === other || this.#json(message) === this.#json(other);
  }
}
