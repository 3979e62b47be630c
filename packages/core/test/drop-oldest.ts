import { defineStrategy, dropsInOrder, exchangesOf } from '../src/index.js';

/** Drops the oldest messages that may leave, one edit each, until the target is met. */
export const dropOldest = defineStrategy({
  name: 'drop-oldest',
  emits: ['drop'],
  plan: (context) => ({ edits: dropsInOrder(exchangesOf(context.view), context, { reason: 'old' }) }),
});
