import {
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

const optionsSchema = z.strictObject({ minMessagesToKeep: z.int().min(1).optional() });

export interface OldestRemovalOptions {
  /**
   * Messages that stay at least, including those that may not leave. The larger of this and the configuration's `minMessagesToKeep`
   * counts. @default the configuration's alone
   */
  readonly minMessagesToKeep?: number | undefined;
}

/**
 * Drops the oldest exchanges first, those of a low priority before those of a higher one: a new unimportant message goes
 * before an old important one, and age decides only between equals. Method of Cipher (ByteRover).
 */
@injectable()
export class OldestRemovalStrategy implements CompressionStrategy {
  static readonly strategyName = 'oldest-removal';
  static readonly optionsSchema = optionsSchema;
  readonly name = OldestRemovalStrategy.strategyName;
  readonly emits = ['drop'];

  constructor(@inject(optionsToken('oldest-removal')) readonly options: OldestRemovalOptions) {}

  plan(context: PlanContext): Plan {
    const exchanges = exchangesOf(context.view);
    const times = timesOf(exchanges);
    const ordered = exchanges
      .map((exchange, index) => ({ exchange, index, time: times[index] as number }))
      .sort((a, b) => compareByPriority(a.exchange, b.exchange) || a.time - b.time || a.index - b.index)
      .map(({ exchange }) => exchange);
    const { minMessagesToKeep } = this.options;
    const edits = dropsInOrder(ordered, context, {
      reason: 'the oldest of the least important',
      minMessagesToKeep,
    });
    return edits.length > 0 ? { edits } : { edits, reason: 'Every message has to stay' };
  }
}

/** When each exchange began, ms since epoch; one without a time has that of the one before it. */
function timesOf(exchanges: readonly Exchange[]): number[] {
  let time = Number.NEGATIVE_INFINITY;
  return exchanges.map(({ messages }) => {
    time = messages[0]?.message.createdAt ?? time;
    return time;
  });
}

/**
 * The strategy with options of one's own.
 * @throws ConfigError `config-invalid`
 */
export function oldestRemoval(options: Partial<OldestRemovalOptions> = {}): OldestRemovalStrategy {
  return new OldestRemovalStrategy(parseOptions(OldestRemovalStrategy.strategyName, optionsSchema, options));
}

/** Makes the strategy available by its name, `oldest-removal`. */
export function register(container: DependencyContainer): void {
  registerStrategy(container, OldestRemovalStrategy);
}
