import type { Exchange, PlanContext } from '@ctx/core';

/** What stays of the newest exchanges. */
export interface Recent {
  /** As they are. */
  readonly whole: ReadonlySet<Exchange>;
  /** They stay, but are too large: their texts are shortened. */
  readonly cut: ReadonlySet<Exchange>;
  /** Tokens for all of `cut`. */
  readonly cutTokens: number;
}

/**
 * The newest exchanges that fit into a room. Those that the model has not read stay in any case, or else the newest exchange, and as
 * many more messages as must stay; they are shortened if they do not fit.
 * @param exchanges in order; those that must stay, which are pinned, come last
 * @param room tokens
 */
export function recentExchanges(
  exchanges: readonly Exchange[],
  context: Pick<PlanContext, 'view' | 'minMessagesToKeep'>,
  room: number,
): Recent {
  const newestFirst = exchanges.toReversed();
  const must = mustStay(newestFirst, context);
  const whole = new Set<Exchange>();
  const cut = new Set<Exchange>();
  let left = room;
  for (const exchange of must.toSorted((a, b) => a.tokens - b.tokens)) {
    if (exchange.tokens > left / (must.length - whole.size)) cut.add(exchange);
    else {
      whole.add(exchange);
      left -= exchange.tokens;
    }
  }
  if (cut.size > 0) return { whole, cut, cutTokens: Math.max(0, left) };
  for (const exchange of newestFirst.slice(must.length)) {
    if (exchange.tokens > left) break;
    whole.add(exchange);
    left -= exchange.tokens;
  }
  return { whole, cut, cutTokens: 0 };
}

/** The exchanges that stay whatever their size. */
function mustStay(
  newestFirst: readonly Exchange[],
  { view, minMessagesToKeep }: Pick<PlanContext, 'view' | 'minMessagesToKeep'>,
): Exchange[] {
  const must = newestFirst.filter(({ pinned }) => pinned).reverse();
  const leaving = newestFirst.filter(({ pinned }) => !pinned).flatMap(({ messages }) => messages);
  // Messages that stay in any case, and the excerpt.
  let messages = view.length - leaving.length + 1;
  for (const exchange of newestFirst.slice(must.length)) {
    if (must.length > 0 && messages >= minMessagesToKeep) break;
    must.push(exchange);
    messages += exchange.messages.length;
  }
  return must;
}
