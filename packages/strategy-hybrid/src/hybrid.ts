import {
  type CompressionStrategy,
  defineStrategy,
  type Plan,
  type PlanContext,
  strategyFactory,
  strategyToken,
} from '@ctx/core';
import * as z from 'zod';
import {
  characteristicsOf,
  efficiency,
  type Recommendation,
  recommend,
  type Way,
} from './characteristics.js';

type Ways = Readonly<Record<Way, CompressionStrategy>>;

/**
 * Removes messages from the middle or the oldest messages, whichever fits the conversation. If it cannot decide, it plans both and takes
 * the plan with the higher `efficiency`.
 */
export const hybrid = strategyFactory({
  name: 'hybrid',
  emits: ({ middle, oldest }) => [...new Set([middle, oldest].flatMap((way) => defineStrategy(way).emits))],
  inject: { middle: strategyToken('middle-removal'), oldest: strategyToken('oldest-removal') },
  options: z.strictObject({
    minConfidence: z
      .number()
      .min(0)
      .max(1)
      .default(0.6)
      .describe('if the confidence is lower, both ways are tried and the more efficient one is taken'),
  }),
  plan(context, { minConfidence }, ways): Plan | Promise<Plan> {
    const recommendation = recommend(characteristicsOf(context));
    const { way, confidence, rule } = recommendation;
    if (way === undefined || confidence < minConfidence) return moreEfficient(context, recommendation, ways);
    const chosen = ways[way];
    const finish = (plan: Plan): Plan => ({ ...plan, chosen: chosen.name, notes: { confidence, rule } });
    const plan = chosen.plan(context);
    return plan instanceof Promise ? plan.then(finish) : finish(plan);
  },
});

function moreEfficient(
  context: PlanContext,
  { confidence, rule }: Recommendation,
  { middle, oldest }: Ways,
): Plan | Promise<Plan> {
  const choose = ([middlePlan, oldestPlan]: readonly [Plan, Plan]): Plan => {
    const before = { tokens: context.currentTokens, messages: context.view.length };
    const [ofMiddle, ofOldest] = [middlePlan, oldestPlan].map(({ edits }) =>
      efficiency(before, context.simulate(edits)),
    ) as [number, number];
    const notes = { confidence, rule, efficiency: { [middle.name]: ofMiddle, [oldest.name]: ofOldest } };
    const [{ name }, { edits, reason }] = ofMiddle >= ofOldest ? [middle, middlePlan] : [oldest, oldestPlan];
    return { edits, ...(reason !== undefined && { reason }), chosen: name, notes };
  };
  const plans = [middle.plan(context), oldest.plan(context)] as const;
  const [middlePlan, oldestPlan] = plans;
  if (middlePlan instanceof Promise || oldestPlan instanceof Promise) return Promise.all(plans).then(choose);
  return choose([middlePlan, oldestPlan]);
}

export const { register } = hybrid;
export type HybridOptions = z.infer<typeof hybrid.declaration.options>;
