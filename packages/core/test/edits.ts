import type { CompressionStrategy, Edit, PlanContext } from '../src/index.js';

export const drop = (...messages: string[]): Edit<'drop'> => ({ type: 'drop', messages, reason: 'old' });
export const dropCalls = (messages: string[], calls: string[]): Edit<'drop-calls'> => ({
  type: 'drop-calls',
  messages,
  calls,
  reason: 'no longer needed',
});
export const replace = (message: string, text: string, part = 0): Edit<'replace'> => ({
  type: 'replace',
  message,
  part,
  text,
  reason: 'long',
});
export const merge = (
  messages: string[],
  text: string,
  placement: 'first' | 'last' = 'first',
): Edit<'merge'> => ({ type: 'merge', messages, text, placement, reason: 'summed up' });

/** A strategy that plans these edits, whatever the conversation. */
export const planning = (...edits: readonly Edit[]): CompressionStrategy => ({
  name: 'planning',
  emits: edits.map(({ type }) => type),
  plan: () => ({ edits }),
});

/** A strategy that plans the edits which this function gives. */
export const planner = (
  name: string,
  editsOf: (context: PlanContext) => readonly Edit[],
  more: Partial<CompressionStrategy> = {},
): CompressionStrategy => ({
  name,
  emits: ['drop', 'replace'],
  plan: (context) => ({ edits: editsOf(context) }),
  ...more,
});
