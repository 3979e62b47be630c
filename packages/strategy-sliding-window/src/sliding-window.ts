import { dropsInOrder, exchangesOf, type Plan, sparing, strategyFactory } from '@ctx/core';
import { z } from 'zod';

const optionsSchema = z.strictObject({
  sizes: z
    .array(z.int().min(1))
    .min(1)
    .readonly()
    .default([20, 3, 1])
    .describe(
      'numbers of the newest messages to keep, tried in this order until the target is met; never fewer than `minMessagesToKeep`',
    ),
  keepFirst: z.boolean().default(true).describe('keeps the first message of the user too'),
});
export type SlidingWindowOptions = z.infer<typeof optionsSchema>;

/**
 * Keeps only the newest messages: 20 of them, or where that is still too much 3, or 1. A call stays with its results, so a few more
 * may be left. Asks nobody and always ends.
 */
export const slidingWindow = strategyFactory({
  name: 'sliding-window',
  emits: ['drop'],
  options: optionsSchema,
  plan(context, { sizes, keepFirst }) {
    const exchanges = exchangesOf(context.view);
    const first = keepFirst ? context.view.find(({ message }) => message.role === 'user') : undefined;
    let plan: Plan = { edits: [], reason: 'Every message is among the newest' };
    for (const size of sizes) {
      const outside = exchanges.filter(
        ({ last, messages, pinned }) =>
          !pinned && last < context.view.length - size && (first === undefined || !messages.includes(first)),
      );
      const edits = dropsInOrder(
        sparing(outside, context),
        // Everything outside leaves at once, whatever the target: the next request is then far from the window again.
        { ...context, targetTokens: Number.NEGATIVE_INFINITY },
        { reason: `not among the newest ${size} messages` },
      );
      if (edits.length === 0) continue;
      plan = { edits, notes: { size } };
      if (context.simulate(edits).tokens <= context.targetTokens) break;
    }
    return plan;
  },
});

export const { register } = slidingWindow;
