import {
  type CompressionStrategy,
  type DependencyContainer,
  fileReadTools,
  inject,
  injectable,
  optionsToken,
  type Plan,
  type PlanContext,
  parseOptions,
  registerStrategy,
} from '@ctx/core';
import { centreRemoval } from './centre-removal.js';
import { foldReads } from './fold-reads.js';
import { Middle } from './middle.js';
import { optionsSchema, type SmartTruncationOptions } from './options.js';
import { toolFilter } from './tool-filter.js';

/** What goes from one plan of a run to the next: the middle as it was at first. */
interface Progress {
  readonly next: 'fold' | 'delete';
  readonly middle: readonly string[];
}

/**
 * Three steps, each only where the one before left too much: takes tool calls out of the middle, folds file reads, and
 * drops messages from the centre outwards. The middle is where the tokens between 1/6 and 5/6 are, so the task at the start
 * and the work at the end stay. Method of Roo Code's design.
 */
@injectable()
export class SmartTruncationStrategy implements CompressionStrategy {
  static readonly strategyName = 'smart-truncation';
  static readonly optionsSchema = optionsSchema;
  readonly name = SmartTruncationStrategy.strategyName;
  readonly emits = ['drop', 'drop-calls', 'fold'];

  constructor(@inject(optionsToken('smart-truncation')) readonly options: SmartTruncationOptions) {}

  plan(context: PlanContext): Plan {
    const { foldReads: folds, keepNewestReads, readTools = fileReadTools } = this.options;
    const progress = context.state as Progress | undefined;
    const middle = progress === undefined ? Middle.of(context, this.options) : new Middle(progress.middle);
    const targetTokens = this.#target(context);
    const goOn = (next: Progress['next']) => ({ state: { next, middle: middle.ids }, targetTokens });
    if (progress === undefined) {
      const plan = toolFilter(() => middle, readTools).plan(context);
      return { ...plan, ...goOn(folds ? 'fold' : 'delete') };
    }
    if (progress.next === 'fold') {
      return { ...foldReads(readTools, keepNewestReads).plan(context), ...goOn('delete') };
    }
    const { edits, notes } = centreRemoval(
      () => middle,
      () => targetTokens,
    ).plan(context);
    const stillOverLimit = context.simulate(edits).tokens > targetTokens;
    const plan = { edits, notes: { ...notes, stillOverLimit } };
    return edits.length > 0
      ? plan
      : { ...plan, reason: 'Nothing in the middle of the conversation may leave' };
  }

  #target({ targetTokens }: PlanContext): number {
    const { maxTokens } = this.options;
    return maxTokens === 'auto' ? targetTokens : Math.min(maxTokens, targetTokens);
  }
}

/**
 * The strategy with options of one's own.
 * @throws ConfigError `config-invalid`
 */
export function smartTruncation(options: Partial<SmartTruncationOptions> = {}): SmartTruncationStrategy {
  return new SmartTruncationStrategy(
    parseOptions(SmartTruncationStrategy.strategyName, optionsSchema, options),
  );
}

/** Makes the strategy available by its name, `smart-truncation`. */
export function register(container: DependencyContainer): void {
  registerStrategy(container, SmartTruncationStrategy);
}
