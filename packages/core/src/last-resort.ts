import { compareByPriority, dropsInOrder, exchangesOf } from './exchange.js';
import { defineStrategy } from './strategy.js';

/** The share of the window that it leaves filled, so that it is not needed again with the next message. */
const share = 0.95;

/**
 * Runs where the configured stages leave a view that is larger than the window: drops whatever may leave, the least
 * important first, the oldest of those, and the first thing the user asked for last.
 */
export const lastResort = defineStrategy({
  name: 'last-resort',
  emits: ['drop'],
  plan(context) {
    if (context.currentTokens <= context.maxTokens) return { edits: [] };
    const task = context.view.find(({ message }) => message.role === 'user');
    const holdsTask = (exchange: { readonly messages: readonly unknown[] }) =>
      Number(exchange.messages.includes(task));
    const ordered = exchangesOf(context.view).toSorted(
      (a, b) => holdsTask(a) - holdsTask(b) || compareByPriority(a, b),
    );
    const targetTokens = Math.floor(context.maxTokens * share);
    const reason = 'larger than the window';
    return { edits: dropsInOrder(ordered, { ...context, targetTokens }, { reason }) };
  },
});
