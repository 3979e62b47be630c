import type { Exchange } from './exchange.js';
import type { PlanContext } from './strategy.js';

/**
 * Of exchanges that are to leave, in order, as many as may leave while `minMessagesToKeep` messages stay. The newest are spared.
 * @param added messages that take their place
 */
export function sparing(
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
