import { type Plan, strategyFactory } from '@ctx/core';
import { optionsSchema } from './options.js';
import { planRelevance } from './plan.js';

/**
 * Keeps the newest exchanges whole and the user's messages word for word, and merges the older messages into one excerpt: verbatim
 * lines, in order, under headings that name their sources. The lines are chosen by budgeted maximum coverage of the terms in the
 * conversation (see `choose`). Every excerpt is written from the original messages while the transcript has them, never from an older
 * excerpt.
 */
export const relevance = strategyFactory({
  name: 'relevance',
  emits: ['merge', 'drop', 'replace'],
  options: optionsSchema,
  plan(context, options): Promise<Plan> {
    return context.inSlices(planRelevance(context, options));
  },
});

export const { register } = relevance;
