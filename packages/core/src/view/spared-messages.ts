import type { Exchange } from './exchange.js';
import type { PlanContext } from './strategy.js';

/**
 * Takes exchanges from the start of the list for as long as `minMessagesToKeep` messages stay. The rest of the list is
 * spared.
 * @param added number of messages that will replace them
 */
export function whileEnoughStay(
  leaving: readonly Exchange[],
  { view, minMessagesToKeep }: Pick<PlanContext, 'view' | 'minMessagesToKeep'>,
  added = 0,
): readonly Exchange[] {
  const most = view.length + added - minMessagesToKeep;
  let messages = 0;
  const end = leaving.findIndex((exchange) => {
    messages += exchange.messages.length;
    return messages > most;
  });
  return end < 0 ? leaving : leaving.slice(0, end);
}
