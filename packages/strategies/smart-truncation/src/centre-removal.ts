import { defineStrategy, dropsInOrder, type Exchange, exchangesOf, type PlanContext } from '@ctx/core';
import type { Middle } from './middle.js';

/**
 * Drops exchanges of the middle, from its centre outwards, until the target is met. They form one range, without gaps except for
 * messages that must stay, so that the rest remains readable. The original design drops batches of an estimated size; here the tokens of
 * each exchange are known, so they are dropped one by one.
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

/** Sorts exchanges by distance from the centre, halfway between the first and the last message. The earlier of two equal ones is first. */
function fromCentre(exchanges: readonly Exchange[]): Exchange[] {
  const [first, last] = [exchanges[0], exchanges[exchanges.length - 1]];
  if (first === undefined || last === undefined) return [];
  const centre = (first.first + last.last) / 2;
  const distance = (exchange: Exchange) => Math.abs((exchange.first + exchange.last) / 2 - centre);
  return exchanges.toSorted((a, b) => distance(a) - distance(b) || a.first - b.first);
}
