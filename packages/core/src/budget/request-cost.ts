import { equal } from '../base/equal.js';
import type { Message } from '../transcript/message.js';
import type { SentMessage } from '../view/view-entry.js';

/** What a token of the input costs, as a multiple of one that goes past the prompt cache. */
export interface CachePrices {
  /** Of a token that is read from the cache. */
  readonly cacheRead: number;
  /** Of a token that is sent for the first time, with what its writing into the cache adds. */
  readonly cacheWrite: number;
}

/**
 * What a compression costs and saves because providers cache the beginning of a request that they have seen before.
 * Estimates: tokens as counted here; costs in tokens at the full input price (with prices in money per million tokens, in millionths
 * of that money). Nothing else is paid here: no answers, and no call of a model that wrote a summary.
 */
export interface RequestCost {
  /** Tokens of tools and leading messages that are the very same before and after. */
  readonly prefixTokens: number;
  /** Tokens of messages that the cache held and that stay as they were, but have to be written again, as something before them changed. */
  readonly rewrittenTokens: number;
  /** Cost of the next request, had nothing been compressed. */
  readonly withoutCompression: number;
  /** Cost of the next request as it is now. */
  readonly withCompression: number;
  /** What every later request costs less than without; negative where the compression made the request larger. */
  readonly savedPerRequest: number;
  /** The smallest number of requests, the next one included, that together cost no more than without: 1 where it pays at once, null where it never does. */
  readonly breakEvenRequests: number | null;
}

/** A request's messages in order, and what else it has. */
export interface ComparedRequests {
  readonly before: readonly RequestMessage[];
  readonly after: readonly RequestMessage[];
  /** Tokens of what stands before the messages of both and is the same in both, such as the tool definitions. */
  readonly fixedTokens: number;
}

export type RequestMessage = Pick<SentMessage, 'message' | 'tokens'>;

/** The cost where nothing was compressed. */
export const noCost: RequestCost = {
  prefixTokens: 0,
  rewrittenTokens: 0,
  withoutCompression: 0,
  withCompression: 0,
  savedPerRequest: 0,
  breakEvenRequests: 1,
};

/**
 * Compares the next request with what it would be without the compression. The cache is taken to hold what the last request held: the
 * messages before the newest one of the assistant, which answered it. What came since is written either way, and what is appended
 * from now on costs the same on both sides and is left out.
 */
export function requestCost(
  { before, after, fixedTokens }: ComparedRequests,
  { cacheRead, cacheWrite }: CachePrices,
): RequestCost {
  const cached = cachedOf(before);
  const cachedTokens = cached === undefined ? 0 : fixedTokens + tokensOf(cached);
  const prefix = prefixLength(before, after);
  const prefixTokens = fixedTokens + tokensOf(after.slice(0, prefix));
  const [tokensBefore, tokensAfter] = [fixedTokens + tokensOf(before), fixedTokens + tokensOf(after)];
  const price = (tokens: number, read: number) => read * cacheRead + (tokens - read) * cacheWrite;
  const known = new Set(cached?.map(({ message }) => message));
  return withBreakEven({
    prefixTokens,
    rewrittenTokens: tokensOf(after.slice(prefix).filter(({ message }) => known.has(message))),
    withoutCompression: price(tokensBefore, cachedTokens),
    withCompression: price(tokensAfter, Math.min(prefixTokens, cachedTokens)),
    savedPerRequest: (tokensBefore - tokensAfter) * cacheRead,
  });
}

/** The sum of two. It breaks even after so many requests that, if as many follow each compression, all of them together have paid. */
export function sumOfCosts(one: RequestCost, other: RequestCost): RequestCost {
  return withBreakEven({
    prefixTokens: one.prefixTokens + other.prefixTokens,
    rewrittenTokens: one.rewrittenTokens + other.rewrittenTokens,
    withoutCompression: one.withoutCompression + other.withoutCompression,
    withCompression: one.withCompression + other.withCompression,
    savedPerRequest: one.savedPerRequest + other.savedPerRequest,
  });
}

/** What the cache holds of these messages; undefined where none of them was answered yet. */
function cachedOf(messages: readonly RequestMessage[]): readonly RequestMessage[] | undefined {
  const answer = messages.map(({ message }) => message.role).lastIndexOf('assistant');
  return answer < 0 ? undefined : messages.slice(0, answer);
}

function prefixLength(before: readonly RequestMessage[], after: readonly RequestMessage[]): number {
  const same = (one: Message, other: Message | undefined) => other !== undefined && equal(one, other);
  const changed = before.findIndex(({ message }, index) => !same(message, after[index]?.message));
  return changed < 0 ? before.length : changed;
}

function tokensOf(messages: readonly RequestMessage[]): number {
  return messages.reduce((sum, { tokens }) => sum + tokens, 0);
}

function withBreakEven(cost: Omit<RequestCost, 'breakEvenRequests'>): RequestCost {
  return { ...cost, breakEvenRequests: breakEven(cost) };
}

function breakEven({
  withoutCompression,
  withCompression,
  savedPerRequest,
}: Omit<RequestCost, 'breakEvenRequests'>): number | null {
  const extra = withCompression - withoutCompression;
  if (savedPerRequest <= 0) return extra <= 0 ? 1 : null;
  // Prices like 0.1 are no binary fractions: 12 may come out as 12.000000000000002, which is not 13 requests.
  return Math.max(1, 1 + Math.ceil(Number((extra / savedPerRequest).toFixed(6))));
}
