import { ContextOverflowError, type OverflowBreakdown } from '../base/errors.js';
import type { Meter } from '../budget/meter.js';
import type { InvariantName } from '../view/invariants.js';
import { protectionOf } from '../view/protection.js';

const partOf: Partial<Record<InvariantName, 'system' | 'pinned' | 'newestUser'>> = {
  'system-stays': 'system',
  'pinned-stays': 'pinned',
  'newest-user-stays': 'newestUser',
  'task-stays': 'newestUser',
};

/** The error of a request that is larger than the window; `undefined` if it is not. */
export function overflowOf(meter: Meter): ContextOverflowError | undefined {
  const { contextWindow } = meter.budget;
  const tokens = meter.isExpected ? meter.counted().tokens : meter.measure().tokens;
  return tokens > contextWindow ? new ContextOverflowError(overflowBreakdown(meter)) : undefined;
}

/** Divides a request that does not fit into its parts. `overhead` is what the provider adds to the counted parts. */
function overflowBreakdown(meter: Meter): OverflowBreakdown {
  const { view, transcript, pins } = meter.conversation;
  const parts = { system: 0, tools: meter.toolTokens, pinned: 0, newestUser: 0, unread: 0, rest: 0 };
  for (const entry of view.entries) {
    const by = protectionOf(entry, { transcript, pins })?.by;
    parts[by === undefined ? 'rest' : (partOf[by] ?? 'unread')] += entry.tokens;
  }
  const total = meter.measure().tokens;
  const counted = Object.values(parts).reduce((sum, tokens) => sum + tokens, 0);
  return { ...parts, overhead: total - counted, total, limit: meter.budget.contextWindow };
}
