import { type Plan, strategyFactory } from '@ctx/core';
import * as z from 'zod';
import { planOldestRemoval } from './plan.js';

/**
 * Drops exchanges with a low priority before those with a higher one, and the oldest first among equals. So a new unimportant message
 * leaves before an old important one.
 */
export const oldestRemoval = strategyFactory({
  name: 'oldest-removal',
  emits: ['drop'],
  options: z.strictObject({
    minMessagesToKeep: z
      .int()
      .min(1)
      .optional()
      .describe(
        "smallest number of messages that stay, including those that must; if the configuration's value is larger, it is used",
      ),
  }),
  plan: (context, options): Promise<Plan> => context.inSlices(planOldestRemoval(context, options)),
});

export const { register } = oldestRemoval;

/** `oldestRemoval` under the name of a class: `new OldestRemovalStrategy(options)` works as well. @alias */
export const OldestRemovalStrategy = oldestRemoval;
export type OldestRemovalStrategy = ReturnType<typeof oldestRemoval>;
