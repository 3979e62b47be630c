import type { Message, Settings } from '@ctx/core';
import { totalTokens } from './count-tokens.js';
import { remembered } from './remembered.js';

/** Prices of an input token that is read from or written to the prompt cache, relative to an ordinary one. */
export const usualPrices: CachePrices = { cacheRead: 0.1, cacheWrite: 1.25 };

export type CachePrices = Pick<Settings['prices'], 'cacheRead' | 'cacheWrite'>;

/** The prices of one request. */
export interface RequestPrices extends CachePrices {
  /** Whose cache it is. @default that of the only model */
  readonly model?: string | undefined;
  /** What an ordinary token costs. @default 1 */
  readonly each?: number | undefined;
}

/** The price of requests with prompt caching: everything from the start that equals the model's request before is read from its cache. */
export class CachedCost {
  total = 0;
  #before: readonly Message[] = [];
  readonly #cached = new Map<string | undefined, readonly Message[]>();
  readonly #json = remembered((message: Message) => JSON.stringify(message), new WeakMap());

  constructor(
    readonly tokensOf: (message: Message) => number,
    readonly prices: CachePrices = usualPrices,
  ) {}

  /** Returns whether the request extends the one before. */
  add(view: readonly Message[], prices: RequestPrices = this.prices): boolean {
    const { model, cacheRead, cacheWrite, each = 1 } = prices;
    const extended = this.#sameAs(this.#before, view) === this.#before.length;
    const same = this.#sameAs(this.#cached.get(model) ?? [], view);
    const cached = totalTokens(view.slice(0, same), this.tokensOf);
    const fresh = totalTokens(view.slice(same), this.tokensOf);
    this.total += each * (cached * cacheRead + fresh * cacheWrite);
    this.#before = view;
    this.#cached.set(model, view);
    return extended;
  }

  #sameAs(before: readonly Message[], view: readonly Message[]): number {
    const same = view.findIndex((message, at) => {
      const other = before[at];
      return other === undefined || (message !== other && this.#json(message) !== this.#json(other));
    });
    return same < 0 ? view.length : same;
  }
}
