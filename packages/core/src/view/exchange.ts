import { finish, itemsPerStep, type Steps } from '../base/slices.js';
import { type Priority, priorities } from '../transcript/priorities.js';
import type { DropEdit } from './edit.js';
import type { PlanContext, ViewMessage } from './strategy.js';
import { isUsers } from './view-entry.js';

/** The unit that leaves the view together: an assistant message with tool calls and all their results, or any other message alone. */
export interface Exchange {
  readonly messages: readonly ViewMessage[];
  /** Positions of its first and last message in the view. */
  readonly first: number;
  readonly last: number;
  /** Sum over its messages. */
  readonly tokens: number;
  /** The highest of its messages' priorities. */
  readonly priority: Priority;
  /** True if any of its messages is pinned; the exchange then stays. */
  readonly pinned: boolean;
}

/** Groups a view into its exchanges, in order. */
export function exchangesOf(view: readonly ViewMessage[]): Exchange[] {
  return finish(exchangesInSteps(view));
}

/** The same in steps. */
export function* exchangesInSteps(view: readonly ViewMessage[]): Steps<Exchange[]> {
  const groups = new Map<number, ViewMessage[]>();
  for (const [at, message] of view.entries()) {
    if (at % itemsPerStep === 0) yield;
    const group = groups.get(message.exchange);
    if (group === undefined) groups.set(message.exchange, [message]);
    else group.push(message);
  }
  const exchanges: Exchange[] = [];
  for (const messages of groups.values()) {
    if (exchanges.length % itemsPerStep === 0) yield;
    exchanges.push(exchangeOf(messages));
  }
  return exchanges;
}

function exchangeOf(messages: readonly ViewMessage[]): Exchange {
  let tokens = 0;
  let rank: number = priorities.length - 1;
  let pinned = false;
  for (const message of messages) {
    tokens += message.tokens;
    rank = Math.min(rank, priorities.indexOf(message.priority));
    pinned ||= message.pinned;
  }
  return {
    messages,
    first: (messages[0] as ViewMessage).index,
    last: (messages[messages.length - 1] as ViewMessage).index,
    tokens,
    priority: priorities[rank] as Priority,
    pinned,
  };
}

/** Negative if `a` leaves the view before `b`: LOW before NORMAL before HIGH before CRITICAL. */
export function compareByPriority(a: Pick<Exchange, 'priority'>, b: Pick<Exchange, 'priority'>): number {
  return priorities.indexOf(b.priority) - priorities.indexOf(a.priority);
}

/**
 * Drops exchanges in the given order, one edit each, until the target is met. Skips an exchange that is pinned, or
 * whose removal would leave fewer messages than must stay.
 */
export function dropsInOrder(
  ordered: Iterable<Exchange>,
  context: Pick<PlanContext, 'view' | 'currentTokens' | 'targetTokens' | 'minMessagesToKeep'>,
  {
    reason,
    minMessagesToKeep = 1,
  }: { readonly reason: string; readonly minMessagesToKeep?: number | undefined },
): DropEdit[] {
  const least = Math.max(minMessagesToKeep, context.minMessagesToKeep);
  const edits: DropEdit[] = [];
  let tokens = context.currentTokens;
  let left = context.view.length;
  for (const exchange of ordered) {
    if (tokens <= context.targetTokens) break;
    const size = exchange.messages.length;
    if (exchange.pinned || exchange.tokens === 0 || left - size < least) continue;
    tokens -= exchange.tokens;
    left -= size;
    edits.push({ type: 'drop', messages: exchange.messages.map((message) => message.id), reason });
  }
  return edits;
}

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
