import type { OverflowBreakdown } from './errors.js';
import type { Meter } from './meter.js';
import { isPinned, isSystem } from './view.js';

/** What a request that does not fit consists of; `overhead` is what the provider adds to the counted parts. */
export function overflowBreakdown(meter: Meter): OverflowBreakdown {
  const { view, transcript, pins } = meter.conversation;
  const parts = { system: 0, tools: meter.toolTokens, pinned: 0, newestUser: 0, rest: 0 };
  for (const entry of view.entries) {
    if (isSystem(entry)) parts.system += entry.tokens;
    else if (entry.id === transcript.newestUser?.id) parts.newestUser += entry.tokens;
    else if (isPinned(entry, pins)) parts.pinned += entry.tokens;
    else parts.rest += entry.tokens;
  }
  const total = meter.measure().tokens;
  const counted = Object.values(parts).reduce((sum, tokens) => sum + tokens, 0);
  return { ...parts, overhead: total - counted, total, limit: meter.budget.contextWindow };
}
