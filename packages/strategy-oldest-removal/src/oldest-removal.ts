import { compareByPriority, dropsInOrder, type Exchange, exchangesOf, strategyFactory } from '@ctx/core';
import { z } from 'zod';

/**
 * Drops the oldest exchanges first, those of a low priority before those of a higher one: a new unimportant message goes
 * before an old important one, and age decides only between equals.
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
        "messages that stay at least, including those that have to; the larger of this and the configuration's counts",
      ),
  }),
  plan(context, { minMessagesToKeep }) {
    const exchanges = exchangesOf(context.view);
    const times = timesOf(exchanges);
    const ordered = exchanges
      .map((exchange, index) => ({ exchange, index, time: times[index] as number }))
      .sort((a, b) => compareByPriority(a.exchange, b.exchange) || a.time - b.time || a.index - b.index)
      .map(({ exchange }) => exchange);
    const edits = dropsInOrder(ordered, context, {
      reason: 'the oldest of the least important',
      minMessagesToKeep,
    });
    return edits.length > 0 ? { edits } : { edits, reason: 'Every message has to stay' };
  },
});

/** When each exchange began, ms since epoch; one without a time has that of the one before it. */
function timesOf(exchanges: readonly Exchange[]): number[] {
  let time = Number.NEGATIVE_INFINITY;
  return exchanges.map(({ messages }) => {
    time = messages[0]?.message.createdAt ?? time;
    return time;
  });
}

export const { register } = oldestRemoval;
export type OldestRemovalOptions = z.infer<typeof oldestRemoval.declaration.options>;
