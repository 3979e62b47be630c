import * as z from 'zod/mini';
import { equal } from '../base/equal.js';
import { type Filled, fields, type Given, takes } from '../base/value-forms.js';
import type { Message } from '../transcript/message.js';
import type { SentMessage } from '../view/view-entry.js';

const price = takes(
  'a price from 0 to 1000000, where an ordinary input token costs 1',
  z.number().check(z.minimum(0), z.maximum(1_000_000)),
);

const prices = {
  cacheRead: z._default(price, 0.1),
  cacheWrite: z._default(price, 1.25),
  perMillion: z.optional(
    takes('a number of dollars from 0 to 1000000', z.number().check(z.minimum(0), z.maximum(1_000_000))),
  ),
  cacheMinutes: z.optional(takes('a number of minutes above 0', z.number().check(z.positive()))),
};

/** Prices of input tokens, as multiples of the price of a token that bypasses the prompt cache, and what goes with them. */
export interface CachePrices extends Filled<typeof prices> {}

export interface GivenPrices {
  /** Price of a token that is read from the prompt cache; an ordinary input token costs 1. @default 0.1 */
  cacheRead?: Given<typeof prices>['cacheRead'];
  /** Price of a token that is sent for the first time and written into the cache. @default 1.25 */
  cacheWrite?: Given<typeof prices>['cacheWrite'];
  /** Dollars for a million ordinary input tokens. @default none: costs are told in tokens; the presets know many models */
  perMillion?: Given<typeof prices>['perMillion'];
  /** How long the provider keeps its cache after it was last read. @default none: it never expires; the presets know many models */
  cacheMinutes?: Given<typeof prices>['cacheMinutes'];
}

export const pricesSchema: z.ZodMiniType<CachePrices, GivenPrices> = fields(prices);

/**
 * What a compression costs and saves, given that providers cache the beginning of requests they have seen before. These
 * are estimates, with tokens as counted here. Costs are in tokens at the full input price; with prices in money per
 * million tokens, in millionths of that money. Answers are not included, nor calls of a model that wrote a summary.
 */
export interface RequestCost {
  /** Tokens of tools and leading messages that are identical before and after. */
  readonly prefixTokens: number;
  /** Tokens of cached, unchanged messages that must be written again because something before them changed. */
  readonly rewrittenTokens: number;
  /** Cost of the next request if nothing had been compressed. */
  readonly withoutCompression: number;
  /** Cost of the next request after the compression. */
  readonly withCompression: number;
  /** How much less every later request costs; negative if the compression made the request larger. */
  readonly savedPerRequest: number;
  /**
   * The smallest number of requests, including the next one, after which the compression has paid for itself: 1 if it
   * pays at once, null if it never does.
   */
  readonly breakEvenRequests: number | null;
}

export type RequestMessage = Pick<SentMessage, 'message' | 'tokens'>;

export const noCost: RequestCost = {
  prefixTokens: 0,
  rewrittenTokens: 0,
  withoutCompression: 0,
  withCompression: 0,
  savedPerRequest: 0,
  breakEvenRequests: 1,
};

/**
 * Compares the next request with the request that would be sent without the compression. The cache is assumed to hold
 * the last request: the messages before the newest one of the assistant, which answered it. Newer messages are written
 * in either case. Later messages cost the same on both sides and are not counted.
 * @param compared.fixedTokens those before the messages that are the same in both requests, such as tool definitions
 * @param compared.isCold true if the cache holds nothing of either
 */
export function requestCost(
  compared: Readonly<Record<'before' | 'after', readonly RequestMessage[]>> & {
    readonly fixedTokens: number;
    readonly isCold?: boolean;
  },
  { cacheRead, cacheWrite }: Pick<CachePrices, 'cacheRead' | 'cacheWrite'>,
): RequestCost {
  const { before, after, fixedTokens, isCold = false } = compared;
  const answer = isCold ? -1 : before.findLastIndex(({ message }) => message.role === 'assistant');
  const cached = answer < 0 ? undefined : before.slice(0, answer);
  const cachedTokens = cached === undefined ? 0 : fixedTokens + sumOfTokens(cached);
  const prefix = prefixLength(before, after);
  const prefixTokens = fixedTokens + sumOfTokens(after.slice(0, prefix));
  const [tokensBefore, tokensAfter] = [fixedTokens + sumOfTokens(before), fixedTokens + sumOfTokens(after)];
  const price = (tokens: number, read: number) => read * cacheRead + (tokens - read) * cacheWrite;
  const known = new Set(cached?.map(({ message }) => message));
  return withBreakEven({
    prefixTokens,
    rewrittenTokens: sumOfTokens(after.slice(prefix).filter(({ message }) => known.has(message))),
    withoutCompression: price(tokensBefore, cachedTokens),
    withCompression: price(tokensAfter, Math.min(prefixTokens, cachedTokens)),
    savedPerRequest: (tokensBefore - tokensAfter) * cacheRead,
  });
}

/** Adds two costs. If this many requests (`breakEvenRequests`) follow each compression, all compressions together have paid for themselves. */
export function sumOfCosts(one: RequestCost, other: RequestCost): RequestCost {
  return withBreakEven({
    prefixTokens: one.prefixTokens + other.prefixTokens,
    rewrittenTokens: one.rewrittenTokens + other.rewrittenTokens,
    withoutCompression: one.withoutCompression + other.withoutCompression,
    withCompression: one.withCompression + other.withCompression,
    savedPerRequest: one.savedPerRequest + other.savedPerRequest,
  });
}

function prefixLength(before: readonly RequestMessage[], after: readonly RequestMessage[]): number {
  const same = (one: Message, other: Message | undefined) => other !== undefined && equal(one, other);
  const changed = before.findIndex(({ message }, index) => !same(message, after[index]?.message));
  return changed < 0 ? before.length : changed;
}

function sumOfTokens(messages: readonly RequestMessage[]): number {
  return messages.reduce((sum, { tokens }) => sum + tokens, 0);
}

function withBreakEven(cost: Omit<RequestCost, 'breakEvenRequests'>): RequestCost {
  return Object.freeze({ ...cost, breakEvenRequests: breakEven(cost) });
}

function breakEven({
  withoutCompression,
  withCompression,
  savedPerRequest,
}: Omit<RequestCost, 'breakEvenRequests'>): number | null {
  const extra = withCompression - withoutCompression;
  if (savedPerRequest <= 0) return extra <= 0 ? 1 : null;
  // Prices such as 0.1 have no exact binary form: 12 may come out as 12.000000000000002, but that is not 13 requests.
  return Math.max(1, 1 + Math.ceil(Number((extra / savedPerRequest).toFixed(6))));
}
