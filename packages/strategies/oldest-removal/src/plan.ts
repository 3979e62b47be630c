import { dropsInOrder, type Exchange, type Plan, type PlanContext, type Steps } from '@ctx/core';
import { compareByPriority, exchangesInSteps } from '@ctx/core/kit';

/** The plan of `oldest-removal`. */
export function* planOldestRemoval(
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
