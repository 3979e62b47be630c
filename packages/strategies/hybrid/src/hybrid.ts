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
  async plan(context, { minConfidence }, ways): Promise<Plan> {
    const recommendation = recommend(characteristicsOf(context));
    const { way, confidence, rule } = recommendation;
    if (way === undefined || confidence < minConfidence) return moreEfficient(context, recommendation, ways);
    const chosen = ways[way];
    return { ...(await chosen.plan(context)), chosen: chosen.name, notes: { confidence, rule } };
  },
});

async function moreEfficient(
  context: PlanContext,
  { confidence, rule }: Recommendation,
  { middle, oldest }: Ways,
): Promise<Plan> {
  const before = { tokens: context.currentTokens, messages: context.view.length };
  const judged = async (way: CompressionStrategy) => {
    const plan = await way.plan(context);
    const after = await context.inSlices(context.simulateInSteps(plan.edits));
    return { ...plan, efficiency: efficiency(before, after), chosen: way.name };
  };
  const [ofMiddle, ofOldest] = [await judged(middle), await judged(oldest)];
  const { edits, reason, chosen } = ofMiddle.efficiency >= ofOldest.efficiency ? ofMiddle : ofOldest;
  const both = { [middle.name]: ofMiddle.efficiency, [oldest.name]: ofOldest.efficiency };
  const notes = { confidence, rule, efficiency: both };
  return { edits, ...(reason !== undefined && { reason }), chosen, notes };
}

export const { register } = hybrid;

/** `hybrid` under the name of a class: `new HybridStrategy(options)` works as well. @alias */
export const HybridStrategy = hybrid;
export type HybridStrategy = ReturnType<typeof hybrid>;
