import {
  type CompressionStrategy,
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
  sparing,
} from '@ctx/core';
import { z } from 'zod';

const optionsSchema = z.strictObject({
  sizes: z.array(z.int().min(1)).min(1).readonly().default([20, 3, 1]),
  keepFirst: z.boolean().default(true),
});

export interface SlidingWindowOptions {
  /**
   * Numbers of the newest messages to keep, tried in this order until the target is met. The configuration's `minMessagesToKeep` may
   * make it more. @default [20, 3, 1]
   */
  readonly sizes: readonly number[];
  /** Keeps the first thing that the user asked for too. @default true */
  readonly keepFirst: boolean;
}

/**
 * Keeps only the newest messages: 20 of them, or where that is still too much 3, or 1. A call stays with its results, so a few more
 * may be left. Asks nobody and always ends. Method of seed 003, with the window measured by its tokens.
 */
@injectable()
export class SlidingWindowStrategy implements CompressionStrategy {
  static readonly strategyName = 'sliding-window';
  static readonly optionsSchema = optionsSchema;
  readonly name = SlidingWindowStrategy.strategyName;
  readonly emits = ['drop'];

  constructor(@inject(optionsToken('sliding-window')) readonly options: SlidingWindowOptions) {}

  plan(context: PlanContext): Plan {
    const exchanges = exchangesOf(context.view);
    let plan: Plan = { edits: [], reason: 'Every message is among the newest' };
    for (const size of this.options.sizes) {
      const edits = dropsInOrder(
        this.#outside(exchanges, size, context),
        // Everything outside leaves at once, whatever the target: the next request is then far from the window again.
        { ...context, targetTokens: Number.NEGATIVE_INFINITY },
        { reason: `not among the newest ${size} messages` },
      );
      if (edits.length === 0) continue;
      plan = { edits, notes: { size } };
      if (context.simulate(edits).tokens <= context.targetTokens) break;
    }
    return plan;
  }

  #outside(exchanges: readonly Exchange[], size: number, context: PlanContext): readonly Exchange[] {
    const { view } = context;
    const start = view.length - size;
    const first = this.options.keepFirst ? view.find(({ message }) => message.role === 'user') : undefined;
    const outside = exchanges.filter(
      ({ last, messages, pinned }) =>
        !pinned && last < start && (first === undefined || !messages.includes(first)),
    );
    return sparing(outside, context);
  }
}

/**
 * The strategy with options of one's own.
 * @throws ConfigError `config-invalid`
 */
export function slidingWindow(options: Partial<SlidingWindowOptions> = {}): SlidingWindowStrategy {
  return new SlidingWindowStrategy(parseOptions(SlidingWindowStrategy.strategyName, optionsSchema, options));
}

/** Makes the strategy available by its name, `sliding-window`. */
export function register(container: DependencyContainer): void {
  registerStrategy(container, SlidingWindowStrategy);
}
