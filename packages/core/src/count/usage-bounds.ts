import { type Coefficients, type Counted, expectedFor } from './coefficients.js';

/** No tokenizer in use differs from another by a larger factor. */
const factor = 3;
/** Formulas for the same picture differ by this much: some scale it down, some do not. */
const imageFactor = 12;
/** The share of the window that may come from content unknown to the manager without raising doubt. */
const untold = 0.1;
/** Above this share of the window there is hardly room for anything. */
const nearlyFull = 0.8;

/**
 * Bounds for any honest report. Agents were seen to send 17,000 to 128,000 tokens in each request that were in no
 * message: their system prompt, tools, a resumed conversation. So a figure may exceed the count by up to a whole
 * window.
 */
export function usageBounds(counted: Counted, prior: Coefficients, contextWindow: number) {
  const expected = expectedFor(prior, counted);
  const most =
    factor * Math.max(expected, counted.tokens) + (imageFactor - factor) * (counted.imageTokens ?? 0);
  return {
    // A picture may cost a tenth of what another formula says.
    least: Math.max(0, Math.min(expected, counted.tokens) - (counted.imageTokens ?? 0)) / factor,
    /** A figure above this is believed only if other reports agree. */
    likely: most + untold * contextWindow,
    /** A figure that is also above this would leave no room for a conversation, so more reports must agree. */
    roomy: nearlyFull * contextWindow,
    most: most + contextWindow,
  };
}
