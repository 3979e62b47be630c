import {
  dropsInOrder,
  type Exchange,
  type Plan,
  type PlanContext,
  type Steps,
  strategyFactory,
} from '@ctx/core';
import { compareByPriority, exchangesInSteps } from '@ctx/core/kit';
import * as z from 'zod';

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
  plan: (context, options): Promise<Plan> => context.inSlices(planOf(context, options)),
});

function* planOf(
  context: PlanContext,
  { minMessagesToKeep }: { readonly minMessagesToKeep?: number | undefined },
): Steps<Plan> {
  const exchanges = yield* exchangesInSteps(context.view);
  const times = timesOf(exchanges);
  yield;
  const ordered = exchanges
    .map((exchange, index) => ({ exchange, index, time: times[index] as number }))
    .sort((a, b) => compareByPriority(a.exchange, b.exchange) || a.time - b.time || a.index - b.index)
    .map(({ exchange }) => exchange);
  yield;
  const edits = dropsInOrder(ordered, context, {
    reason: 'the oldest of the least important',
    minMessagesToKeep,
  });
  return edits.length > 0 ? { edits } : { edits, reason: 'No message may be removed' };
}

/** When each exchange began, in ms since the epoch. An exchange without a time has that of the exchange before it. */
function timesOf(exchanges: readonly Exchange[]): number[] {
  let time = Number.NEGATIVE_INFINITY;
  return exchanges.map(({ messages }) => {
    time = messages[0]?.message.createdAt ?? time;
    return time;
  });
}

export const { register } = oldestRemoval;

/** `oldestRemoval` under the name of a class: `new OldestRemovalStrategy(options)` works as well. @alias */
export const OldestRemovalStrategy = oldestRemoval;
export type OldestRemovalStrategy = ReturnType<typeof oldestRemoval>;
