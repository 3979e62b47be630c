import { dropsInOrder, exchangesOf, type Plan, strategyFactory } from '@ctx/core';
import { whileEnoughStay } from '@ctx/core/kit';
import * as z from 'zod';

const optionsSchema = z.strictObject({
  sizes: z
    .array(z.int().min(1))
    .min(1)
    .readonly()
    .default([20, 3, 1])
    .describe(
      'numbers of the newest messages to keep, tried in this order until the target is met; never fewer than `minMessagesToKeep`',
    ),
  keepFirst: z.boolean().default(true).describe("keeps the user's first message too"),
});

/**
 * Keeps only the newest 20 messages, or 3 or 1 if that is still too much. A call stays with its results, so a few more messages may
 * remain. Calls nothing and always ends.
 */
export const slidingWindow = strategyFactory({
  name: 'sliding-window',
  emits: ['drop'],
  options: optionsSchema,
  async plan(context, { sizes, keepFirst }): Promise<Plan> {
    const exchanges = exchangesOf(context.view);
    const first = keepFirst ? context.view.find(({ message }) => message.role === 'user') : undefined;
    let plan: Plan = { edits: [], reason: 'Every message is among the newest' };
    for (const size of sizes) {
      const outside = exchanges.filter(
        ({ last, messages, pinned }) =>
          !pinned && last < context.view.length - size && (first === undefined || !messages.includes(first)),
      );
      const edits = dropsInOrder(
        whileEnoughStay(outside, context),
        // Drop all messages outside the window at once, whatever the target, so that the next request is far below it.
        { ...context, targetTokens: Number.NEGATIVE_INFINITY },
        { reason: `not among the newest ${size} messages` },
      );
      if (edits.length === 0) continue;
      plan = { edits, notes: { size } };
      const { tokens } = await context.inSlices(context.simulateInSteps(edits));
      if (tokens <= context.targetTokens) break;
    }
    return plan;
  },
});

export const { register } = slidingWindow;
