import {
  CompressionLevel,
  type CompressionStrategy,
  compareByPriority,
  type DependencyContainer,
  dropsInOrder,
  type Exchange,
  exchangesOf,
  inject,
  injectable,
  optionsToken,
  type Plan,
  type PlanContext,
  parseOptions,
  registerStrategy,
} from '@ctx/core';
import { z } from 'zod';

const optionsSchema = z.strictObject({
  preserveStart: z.int().min(1).default(4),
  preserveEnd: z.int().min(1).default(5),
  minMessagesToKeep: z.int().min(1).optional(),
});

export interface MiddleRemovalOptions {
  /** Messages at the start that stay as long as the middle has any. @default 4 */
  readonly preserveStart: number;
  /** Messages at the end that stay as long as the middle has any. @default 5 */
  readonly preserveEnd: number;
  /**
   * Messages that stay at least, including those that may not leave. The larger of this and the configuration's `minMessagesToKeep`
   * counts. @default the configuration's alone
   */
  readonly minMessagesToKeep?: number | undefined;
}

/**
 * Keeps the start and the end of the conversation and drops what lies between, the least important first and the oldest
 * of those. Only when the middle is used up do LOW messages of the start and then of the end go, and at level EMERGENCY
 * NORMAL ones too. Method of Cipher (ByteRover).
 */
@injectable()
export class MiddleRemovalStrategy implements CompressionStrategy {
  static readonly strategyName = 'middle-removal';
  static readonly optionsSchema = optionsSchema;
  readonly name = MiddleRemovalStrategy.strategyName;
  readonly emits = ['drop'];

  constructor(@inject(optionsToken('middle-removal')) readonly options: MiddleRemovalOptions) {}

  plan(context: PlanContext): Plan {
    const { start, middle, end } = this.#split(positioned(context));
    const of = (priority: Exchange['priority']) =>
      [...start, ...end].filter((one) => one.priority === priority);
    const ordered = [
      ...middle.toSorted(compareByPriority),
      ...of('LOW'),
      ...(context.level === CompressionLevel.EMERGENCY ? of('NORMAL') : []),
    ];
    const { minMessagesToKeep } = this.options;
    const edits = dropsInOrder(ordered, context, {
      reason: 'between the start and the end',
      minMessagesToKeep,
    });
    return edits.length > 0
      ? { edits }
      : { edits, reason: 'Nothing between the start and the end may leave' };
  }

  /** An exchange belongs to the start or the end when one of its messages does; the start comes first where they meet. */
  #split(exchanges: readonly Exchange[]) {
    const startLength = lengthHolding(exchanges, this.options.preserveStart);
    const rest = exchanges.slice(startLength);
    const endLength = lengthHolding(rest.toReversed(), this.options.preserveEnd);
    return {
      start: exchanges.slice(0, startLength),
      middle: rest.slice(0, rest.length - endLength),
      end: rest.slice(rest.length - endLength),
    };
  }
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

/**
 * The strategy with options of one's own.
 * @throws ConfigError `config-invalid`
 */
export function middleRemoval(options: Partial<MiddleRemovalOptions> = {}): MiddleRemovalStrategy {
  return new MiddleRemovalStrategy(parseOptions(MiddleRemovalStrategy.strategyName, optionsSchema, options));
}

/** Makes the strategy available by its name, `middle-removal`. */
export function register(container: DependencyContainer): void {
  registerStrategy(container, MiddleRemovalStrategy);
}
