import type { Exchange } from '../view/exchange.js';
import { isUsers } from '../view/order.js';
import type { ViewMessage } from '../view/strategy.js';

/**
 * Divides exchanges that are removed at the user's messages that stay. Only what is in one segment may become one message: otherwise work would
 * precede the task that it was done for.
 * @param leaving in the order of the view
 */
export function segmentsOf(leaving: readonly Exchange[], view: readonly ViewMessage[]): Exchange[][] {
  const gone = new Set(leaving.flatMap(({ messages }) => messages.map(({ index }) => index)));
  const staying = view.filter((one) => !gone.has(one.index) && isUsers(one)).map(({ index }) => index);
  const segments = new Map<number, Exchange[]>();
  let passed = 0;
  for (const exchange of leaving) {
    while (passed < staying.length && (staying[passed] as number) < exchange.first) passed += 1;
    const segment = segments.get(passed);
    if (segment === undefined) segments.set(passed, [exchange]);
    else segment.push(exchange);
  }
  return [...segments.values()];
}
