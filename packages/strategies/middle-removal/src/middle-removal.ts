import {
  CompressionLevel,
  dropsInOrder,
  type Exchange,
  type Plan,
  type PlanContext,
  type Steps,
  strategyFactory,
} from '@ctx/core';
import { compareByPriority, exchangesInSteps } from '@ctx/core/kit';
import * as z from 'zod';

const optionsSchema = z.strictObject({
  preserveStart: z
    .int()
    .min(1)
    .default(4)
    .describe('number of messages at the start that stay as long as the middle has any'),
  preserveEnd: z
    .int()
    .min(1)
    .default(5)
    .describe('number of messages at the end that stay as long as the middle has any'),
  minMessagesToKeep: z
    .int()
    .min(1)
    .optional()
    .describe(
      "smallest number of messages that stay, including those that must; if the configuration's value is larger, it is used",
    ),
});
type MiddleRemovalOptions = z.infer<typeof optionsSchema>;

/**
 * Keeps the start and the end of the conversation and drops exchanges between them, the least important first and the oldest first
 * among equals. Only when the middle is used up, drops LOW messages of the start, then of the end, and at level EMERGENCY also NORMAL
 * ones.
 */
export const middleRemoval = strategyFactory({
  name: 'middle-removal',
  emits: ['drop'],
  options: optionsSchema,
  plan: (context, options): Promise<Plan> => context.inSlices(planOf(context, options)),
});

function* planOf(context: PlanContext, options: MiddleRemovalOptions): Steps<Plan> {
  const { start, middle, end } = split(yield* positioned(context), options);
  yield;
  const of = (priority: Exchange['priority']) =>
    [...start, ...end].filter((one) => one.priority === priority);
  const ordered = [
    ...middle.toSorted(compareByPriority),
    ...of('LOW'),
    ...(context.level === CompressionLevel.EMERGENCY ? of('NORMAL') : []),
  ];
  const { minMessagesToKeep } = options;
  yield;
  const edits = dropsInOrder(ordered, context, {
    reason: 'between the start and the end',
    minMessagesToKeep,
  });
  return edits.length > 0
    ? { edits }
    : { edits, reason: 'No message between the start and the end may be removed' };
}

/** Divides exchanges. One belongs to the start or the end if one of its messages does, and to the start if both apply. */
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

/** The exchanges that count for the start and the end: those that may be removed, and the newest user message, which stays. */
function* positioned({ view }: PlanContext): Steps<Exchange[]> {
  const newestUser = view.findLast(({ message }) => message.role === 'user' && message.summary !== true);
  return (yield* exchangesInSteps(view)).filter(
    ({ pinned, messages }) => !pinned || (newestUser !== undefined && messages.includes(newestUser)),
  );
}

/** The number of exchanges that it takes to have this number of messages. */
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

/** `middleRemoval` under the name of a class: `new MiddleRemovalStrategy(options)` works as well. @alias */
export const MiddleRemovalStrategy = middleRemoval;
export type MiddleRemovalStrategy = ReturnType<typeof middleRemoval>;
