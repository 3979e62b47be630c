import {
  type CompressionStrategy,
  type DependencyContainer,
  inject,
  injectable,
  optionsToken,
  type Plan,
  type PlanContext,
  parseOptions,
  registerStrategy,
  strategyToken,
} from '@ctx/core';
import { z } from 'zod';
import {
  characteristicsOf,
  efficiency,
  type Recommendation,
  recommend,
  type Way,
} from './characteristics.js';

const optionsSchema = z.strictObject({ minConfidence: z.number().min(0).max(1).default(0.6) });

export interface HybridOptions {
  /** Below it, both ways are tried and the more efficient one is taken. @default 0.6 */
  readonly minConfidence: number;
}

type Ways = Readonly<Record<Way, CompressionStrategy>>;

/**
 * Removes from the middle or from the oldest, whichever fits the conversation; where it cannot tell, it plans
 * both and takes the plan that saves more for what it keeps. Method of Cipher (ByteRover).
 */
@injectable()
export class HybridStrategy implements CompressionStrategy {
  static readonly strategyName = 'hybrid';
  static readonly optionsSchema = optionsSchema;
  readonly name = HybridStrategy.strategyName;
  readonly emits: readonly string[];
  readonly #ways: Ways;

  constructor(
    @inject(optionsToken('hybrid')) readonly options: HybridOptions,
    @inject(strategyToken('middle-removal')) middle: CompressionStrategy,
    @inject(strategyToken('oldest-removal')) oldest: CompressionStrategy,
  ) {
    this.#ways = { middle, oldest };
    this.emits = [...new Set([...middle.emits, ...oldest.emits])];
  }

  plan(context: PlanContext): Plan | Promise<Plan> {
    const recommendation = recommend(characteristicsOf(context));
    const { way, confidence, rule } = recommendation;
    if (way === undefined || confidence < this.options.minConfidence)
      return this.#moreEfficient(context, recommendation);
    const chosen = this.#ways[way];
    const finish = (plan: Plan): Plan => ({ ...plan, chosen: chosen.name, notes: { confidence, rule } });
    const plan = chosen.plan(context);
    return plan instanceof Promise ? plan.then(finish) : finish(plan);
  }

  #moreEfficient(context: PlanContext, { confidence, rule }: Recommendation): Plan | Promise<Plan> {
    const { middle, oldest } = this.#ways;
    const choose = ([middlePlan, oldestPlan]: readonly [Plan, Plan]): Plan => {
      const before = { tokens: context.currentTokens, messages: context.view.length };
      const [ofMiddle, ofOldest] = [middlePlan, oldestPlan].map(({ edits }) =>
        efficiency(before, context.simulate(edits)),
      ) as [number, number];
      const notes = { confidence, rule, efficiency: { [middle.name]: ofMiddle, [oldest.name]: ofOldest } };
      const [{ name }, { edits, reason }] =
        ofMiddle >= ofOldest ? [middle, middlePlan] : [oldest, oldestPlan];
      return { edits, ...(reason !== undefined && { reason }), chosen: name, notes };
    };
    const plans = [middle.plan(context), oldest.plan(context)] as const;
    const [middlePlan, oldestPlan] = plans;
    if (middlePlan instanceof Promise || oldestPlan instanceof Promise)
      return Promise.all(plans).then(choose);
    return choose([middlePlan, oldestPlan]);
  }
}

/**
 * The strategy made of two others.
 * @throws ConfigError `config-invalid`
 */
export function hybrid({ middle, oldest, ...options }: Ways & Partial<HybridOptions>): HybridStrategy {
  return new HybridStrategy(
    parseOptions(HybridStrategy.strategyName, optionsSchema, options),
    middle,
    oldest,
  );
}

/** Makes the strategy available by its name, `hybrid`; `middle-removal` and `oldest-removal` must be registered too. */
export function register(container: DependencyContainer): void {
  registerStrategy(container, HybridStrategy);
}
