import type { ContextBudget } from '../budget/context-budget.js';
import { instructionFigures, type Metrics } from '../compress/metrics.js';
import type { ContextStats } from '../compress/outcome.js';
import type { ManagerState } from './manager-state.js';
import type { Setup } from './setup.js';
import { ago, type ManagerStatus } from './status.js';

/** Everything that a manager can report about its state, at one moment. */
export interface ManagerReport {
  readonly stats: ContextStats;
  readonly budget: ContextBudget;
  readonly status: ManagerStatus;
  readonly metrics: Metrics;
  readonly warnings: readonly string[];
}

export function statsOf({ conversation, meter, compressor }: ManagerState): ContextStats {
  const { tokens, messages, contextWindow, allowedTokens } = meter.measure();
  return {
    currentTokens: tokens,
    countedTokens: meter.counted().tokens,
    quality: meter.quality,
    maxTokens: contextWindow,
    allowedTokens,
    targetTokens: meter.target,
    utilization: tokens / contextWindow,
    level: meter.level,
    messages,
    transcriptMessages: conversation.transcript.length,
    historyCount: conversation.newestRecords(false).length,
    ...compressor.totals,
    spent: meter.spending.cost,
  };
}

export function statusOf(state: ManagerState, now: number): ManagerStatus {
  const { utilization, messages, compressions, lastCompressedAt } = statsOf(state);
  return {
    contextUsage: `${Math.round(utilization * 100)}%`,
    messagesCount: messages,
    compressionCount: compressions,
    lastCompression: ago(lastCompressedAt, now),
  };
}

/** Takes time in proportion to the conversation. */
export function metricsOf({ conversation, compressor }: ManagerState): Metrics {
  const { transcript, view, count } = conversation;
  return { ...compressor.metrics.metrics, ...instructionFigures(transcript.messages, view, count) };
}

/** @param others warnings of what surrounds the manager */
export function warningsOf(
  setup: Setup,
  { meter }: ManagerState,
  others: readonly (string | undefined)[],
): string[] {
  const now = [meter.budget.warning, ...others, meter.doubt].filter((one) => one !== undefined);
  return [...setup.warnings, ...now];
}
