import type { Coefficients, Counted } from './calibrate.js';

/** What a provider may bill for a request, in tokens. */
export interface UsageBounds {
  readonly least: number;
  /** A figure above this is believed only where others agree with it. */
  readonly likely: number;
  /** A figure above this too would leave no room for a conversation: it is believed only where more of them agree. */
  readonly roomy: number;
  readonly most: number;
}

export type BoundsOf = (counted: Counted) => UsageBounds;

/** No tokenizer in use differs from another by more. */
const factor = 3;
/** The share of the window that may come from what the manager was not told of, without raising doubt. */
const untold = 0.1;
/** The share of the window above which there is hardly room for anything. */
const nearlyFull = 0.8;

/**
 * Bounds that no honest report leaves. Agents were seen to send 17,000 to 128,000 tokens in each request that were in no message:
 * their system prompt, tools, a conversation resumed. So above the count as much as the window is possible.
 */
export function usageBounds(counted: Counted, prior: Coefficients, contextWindow: number): UsageBounds {
  const expected = prior.offset + prior.factor * counted.tokens + prior.perToolCall * counted.toolCalls;
  const most = factor * Math.max(expected, counted.tokens);
  return {
    least: Math.max(0, Math.min(expected, counted.tokens)) / factor,
    likely: most + untold * contextWindow,
    roomy: nearlyFull * contextWindow,
    most: most + contextWindow,
  };
}

export const unbounded: BoundsOf = () => ({
  least: 0,
  likely: Number.POSITIVE_INFINITY,
  roomy: Number.POSITIVE_INFINITY,
  most: Number.POSITIVE_INFINITY,
});
