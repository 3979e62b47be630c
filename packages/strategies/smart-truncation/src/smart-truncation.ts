import { type Plan, strategyFactory } from '@ctx/core';
import { fileReadTools } from '@ctx/core/kit';
import { centreRemoval } from './centre-removal.js';
import { foldReads } from './fold-reads.js';
import { Middle } from './middle.js';
import { optionsSchema } from './options.js';
import { toolFilter } from './tool-filter.js';

/** The state between two plans of a run. Keeps the middle as it was at first. */
interface Progress {
  readonly next: 'fold' | 'delete';
  readonly middle: readonly string[];
}

/**
 * Works in three steps, each only if the steps before left too much: drops tool calls of the middle, folds file reads, and drops messages
 * from the centre outwards. The middle has the tokens from 1/6 to 5/6, so the task at the start and the work at the end stay.
 */
export const smartTruncation = strategyFactory({
  name: 'smart-truncation',
  emits: ['drop', 'drop-calls', 'fold'],
  options: optionsSchema,
  async plan(context, options): Promise<Plan> {
    const { foldReads: folds, keepNewestReads, maxTokens, readTools = fileReadTools } = options;
    const progress = context.state as Progress | undefined;
    const middle = progress === undefined ? Middle.of(context, options) : new Middle(progress.middle);
    const targetTokens =
      maxTokens === 'auto' ? context.targetTokens : Math.min(maxTokens, context.targetTokens);
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
    const { tokens } = await context.inSlices(context.simulateInSteps(edits));
    const stillOverLimit = tokens > targetTokens;
    const plan = { edits, notes: { ...notes, stillOverLimit } };
    return edits.length > 0
      ? plan
      : { ...plan, reason: 'No message in the middle of the conversation may be removed' };
  },
});

export const { register } = smartTruncation;
