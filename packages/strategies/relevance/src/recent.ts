import type { Exchange, PlanContext } from '@ctx/core';

/** The newest exchanges that stay. */
export interface Recent {
  /** They stay unchanged. */
  readonly whole: ReadonlySet<Exchange>;
  /** They stay but are too large, so their texts are cut. */
  readonly cut: ReadonlySet<Exchange>;
  /** Tokens for all of `cut`. */
  readonly cutTokens: number;
}

/**
 * Picks the newest exchanges that fit into a number of tokens. The newest one always stays, unless something newer does, and enough others to
 * keep `minMessagesToKeep` messages. Exchanges that must stay but do not fit are cut.
 * @param exchanges those that may be removed, in order
 * @param room tokens
 */
export function recentExchanges(exchanges: readonly Exchange[], context: Keeping, room: number): Recent {
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

interface Keeping extends Pick<PlanContext, 'view' | 'minMessagesToKeep'> {
  /** Whether something newer stays anyway. */
  readonly hasNewer: boolean;
}

/** The exchanges that must stay, whatever their size. */
function mustStay(
  newestFirst: readonly Exchange[],
  { view, minMessagesToKeep, hasNewer }: Keeping,
): Exchange[] {
  const must: Exchange[] = [];
  const leaving = newestFirst.flatMap(({ messages }) => messages);
  // The messages that cannot leave, and the excerpt.
  let messages = view.length - leaving.length + 1;
  for (const exchange of newestFirst) {
    if ((hasNewer || must.length > 0) && messages >= minMessagesToKeep) break;
    must.push(exchange);
    messages += exchange.messages.length;
  }
  return must;
}
