import { defineStrategy, dropsInOrder, type Exchange, exchangesOf, type PlanContext } from '@ctx/core';
import type { Middle } from './middle.js';

/**
 * Drops exchanges of the middle from its centre outwards until the target is met: one range without gaps but for what has
 * to stay, and never at random, so that what is left reads on. The tokens of each are known, so it goes on one
 * by one where the design that it follows estimates a batch from their mean.
 */
export function centreRemoval(
  middleOf: (context: PlanContext) => Middle,
  targetOf: (context: PlanContext) => number,
) {
  return defineStrategy({
    name: 'centre-removal',
    emits: ['drop'],
    plan(context) {
      const middle = middleOf(context);
      const exchanges = exchangesOf(context.view).filter((exchange) => middle.holds(exchange));
      const edits = dropsInOrder(
        fromCentre(exchanges),
        { ...context, targetTokens: targetOf(context) },
        { reason: 'near the centre of the conversation' },
      );
      const messagesDeleted = edits.reduce((sum, { messages }) => sum + messages.length, 0);
      return { edits, notes: { messagesDeleted } };
    },
  });
}

/** By distance from the centre, which is halfway between the first and the last message of the middle; the earlier of two first. */
function fromCentre(exchanges: readonly Exchange[]): Exchange[] {
  const [first, last] = [exchanges[0], exchanges[exchanges.length - 1]];
  if (first === undefined || last === undefined) return [];
  const centre = (first.first + last.last) / 2;
  const distance = (exchange: Exchange) => Math.abs((exchange.first + exchange.last) / 2 - centre);
  return exchanges.toSorted((a, b) => distance(a) - distance(b) || a.first - b.first);
}
