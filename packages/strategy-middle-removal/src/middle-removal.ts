import {
  CompressionLevel,
  compareByPriority,
  dropsInOrder,
  type Exchange,
  exchangesOf,
  type PlanContext,
  strategyFactory,
} from '@ctx/core';
import { z } from 'zod';

const optionsSchema = z.strictObject({
  preserveStart: z
    .int()
    .min(1)
    .default(4)
    .describe('messages at the start that stay as long as the middle has any'),
  preserveEnd: z
    .int()
    .min(1)
    .default(5)
    .describe('messages at the end that stay as long as the middle has any'),
  minMessagesToKeep: z
    .int()
    .min(1)
    .optional()
    .describe(
      "messages that stay at least, including those that have to; the larger of this and the configuration's counts",
    ),
});
export type MiddleRemovalOptions = z.infer<typeof optionsSchema>;

/**
 * Keeps the start and the end of the conversation and drops what lies between, the least important first and the oldest
 * of those. Only when the middle is used up do LOW messages of the start and then of the end go, and at level EMERGENCY
 * NORMAL ones too.
 */
export const middleRemoval = strategyFactory({
  name: 'middle-removal',
  emits: ['drop'],
  options: optionsSchema,
  plan(context, options) {
    const { start, middle, end } = split(positioned(context), options);
    const of = (priority: Exchange['priority']) =>
      [...start, ...end].filter((one) => one.priority === priority);
    const ordered = [
      ...middle.toSorted(compareByPriority),
      ...of('LOW'),
      ...(context.level === CompressionLevel.EMERGENCY ? of('NORMAL') : []),
    ];
    const { minMessagesToKeep } = options;
    const edits = dropsInOrder(ordered, context, {
      reason: 'between the start and the end',
      minMessagesToKeep,
    });
    return edits.length > 0
      ? { edits }
      : { edits, reason: 'Nothing between the start and the end may leave' };
  },
});

/** An exchange belongs to the start or the end when one of its messages does; the start comes first where they meet. */
function split(exchanges: readonly Exchange[], { preserveStart, preserveEnd }: MiddleRemovalOptions) {
  const startLength = lengthHolding(exchanges, preserveStart);
  const rest = exchanges.slice(startLength);
  const endLength = lengthHolding(rest.toReversed(), preserveEnd);
  return {
    start: exchanges.slice(0, startLength),
    middle: rest.slice(0, rest.length - endLength),
    end: rest.slice(rest.length - endLength),
  };
}

/** What counts for start and end: all that may leave, and the newest user message, which stays where it is. */
function positioned({ view }: PlanContext): Exchange[] {
  const newestUser = view.findLast(({ message }) => message.role === 'user' && message.summary !== true);
  return exchangesOf(view).filter(
    ({ pinned, messages }) => !pinned || (newestUser !== undefined && messages.includes(newestUser)),
  );
}

/** How many exchanges it takes to hold so many messages. */
function lengthHolding(exchanges: readonly Exchange[], messages: number): number {
  let held = 0;
  let length = 0;
  for (const exchange of exchanges) {
    if (held >= messages) break;
    held += exchange.messages.length;
    length += 1;
  }
  return length;
}

export const { register } = middleRemoval;
