import { type Plan, strategyFactory } from '@ctx/core';
import { optionsSchema } from './options.js';
import { planToolResults } from './plan.js';

/**
 * Clears outdated tool results; every message stays in its place. Clears file reads that were repeated later, old terminal output,
 * duplicate results and, if asked to, reads of files that have changed since. Cuts the middle out of giant results. Errors are not
 * cleared. Clears everything it finds at once, whatever the target, so that the prompt cache rarely breaks.
 */
export const toolResults = strategyFactory({
  name: 'tool-results',
  emits: ['replace'],
  partial: true,
  options: optionsSchema,
  plan: (context, options): Promise<Plan> => context.inSlices(planToolResults(context, options)),
});

export const { register } = toolResults;
