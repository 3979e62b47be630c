import type { Conversation } from '../view/conversation.js';
import { openingTokens } from '../view/view-entry.js';
import type { CachePrices } from './request-cost.js';

/**
 * What the requests of a session that `request()` made have cost so far, and would have cost with everything that was said in each of them. An
 * estimate: tokens as counted, at `prices`, with a cache that holds the request before unless it had expired. Answers are not included.
 */
export interface SessionCost {
  readonly requests: number;
  readonly withCompression: number;
  /** A model whose window had no end is assumed. */
  readonly withoutCompression: number;
  /** Dollars if the price of each request's model is known, otherwise tokens at the full input price. */
  readonly unit: 'dollars' | 'input tokens';
}

/** The sums as plain JSON, for a snapshot, in tokens at the full input price and in dollars. */
export interface SpentState {
  readonly requests: number;
  readonly compressed: number;
  readonly whole: number;
  /** Those of the requests whose model had a known price, and what they cost. */
  readonly priced: number;
  readonly paid: number;
  readonly paidWhole: number;
  /** Tokens of the last request, and of everything said until then. */
  readonly lastTokens: number;
  readonly lastWhole: number;
  readonly generation: number;
  /** What compressions since then have left of its beginning, in tokens. */
  readonly kept?: number;
}

const nothing: SpentState = {
  requests: 0,
  compressed: 0,
  whole: 0,
  priced: 0,
  paid: 0,
  paidWhole: 0,
  lastTokens: 0,
  lastWhole: 0,
  generation: 0,
};

export class Spending {
  state = nothing;
  #said = { state: '', messages: 0, tokens: 0 };

  constructor(
    readonly conversation: Conversation,
    readonly prices: CachePrices,
  ) {}

  get cost(): SessionCost {
    const { requests, compressed, whole, priced, paid, paidWhole } = this.state;
    return priced === requests && (requests > 0 || this.prices.perMillion !== undefined)
      ? { requests, withCompression: paid, withoutCompression: paidWhole, unit: 'dollars' }
      : { requests, withCompression: compressed, withoutCompression: whole, unit: 'input tokens' };
  }

  /** A compression has left so many tokens of the beginning of the request as they were. */
  rewritten(prefixTokens: number): void {
    const { kept = prefixTokens } = this.state;
    this.state = { ...this.state, kept: Math.min(kept, prefixTokens) };
  }

  /**
   * A request is being sent.
   * @param sent.counted its tokens as counted here, with `fixed` ones besides the messages; `tokens` in the provider's measure
   */
  add(sent: Readonly<{ counted: number; fixed: number; tokens: number; isCold: boolean }>): void {
    const { counted, fixed, tokens, isCold } = sent;
    const { generation, records, view } = this.conversation;
    const { lastTokens, lastWhole, ...last } = this.state;
    const isWhole = records.length === 0;
    const whole = isWhole ? counted : fixed + this.#saidTokens();
    const isSame = isWhole || generation === last.generation;
    const kept = isSame ? counted : (last.kept ?? openingTokens(view) + fixed);
    const price = (size: number, cached: number) => {
      const read = isCold ? 0 : Math.min(size, cached);
      return read * this.prices.cacheRead + (size - read) * this.prices.cacheWrite;
    };
    const scale = tokens / Math.max(1, counted);
    const cost = scale * price(counted, Math.min(kept, lastTokens));
    const costWhole = scale * price(whole, lastWhole);
    const { perMillion } = this.prices;
    const each = (perMillion ?? 0) / 1_000_000;
    this.state = {
      requests: last.requests + 1,
      compressed: last.compressed + cost,
      whole: last.whole + costWhole,
      priced: last.priced + (perMillion === undefined ? 0 : 1),
      paid: last.paid + cost * each,
      paidWhole: last.paidWhole + costWhole * each,
      lastTokens: counted,
      lastWhole: whole,
      generation,
    };
  }

  /** Tokens of everything said. Only what was added since the last request is counted, unless the conversation or the counter changed. */
  #saidTokens(): number {
    const { transcript, count, counter, generation } = this.conversation;
    const state = `${generation} ${counter.loaded}`;
    if (this.#said.state !== state) this.#said = { state, messages: 0, tokens: 0 };
    for (const { message } of transcript.messages.slice(this.#said.messages)) {
      this.#said.messages += 1;
      this.#said.tokens += count(message).tokens;
    }
    return this.#said.tokens;
  }
}
