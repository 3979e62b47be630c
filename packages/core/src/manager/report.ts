import type { CompressionLevel } from '../base/compression-level.js';
import type { SessionCost } from '../budget/spending.js';
import type { CompressionTotals } from '../compress/record.js';
import type { Quality } from '../count/count.js';
import type { ManagerState } from './manager-state.js';

export interface ContextStats extends CompressionTotals {
  /** Tokens of the next request, in the provider's measure as far as it is known. */
  readonly currentTokens: number;
  /** The same as counted here. */
  readonly countedTokens: number;
  /** Whether `currentTokens` is counted exactly, corrected by reported usage, or partly estimated. */
  readonly quality: Quality;
  /** The context window. */
  readonly maxTokens: number;
  /** The part of it that a request may use. */
  readonly allowedTokens: number;
  readonly targetTokens: number;
  /** `currentTokens / maxTokens`. */
  readonly utilization: number;
  readonly level: CompressionLevel;
  /** Messages in the view and in the transcript. */
  readonly messages: number;
  readonly transcriptMessages: number;
  readonly historyCount: number;
  /** What the session has cost so far, and would have cost without compressing. */
  readonly spent: SessionCost;
}

export function statsOf({ conversation, meter, compressor }: ManagerState): ContextStats {
  const { tokens, contextWindow, allowedTokens } = meter.measure();
  return {
    currentTokens: tokens,
    countedTokens: meter.counted().tokens,
    quality: meter.quality,
    maxTokens: contextWindow,
    allowedTokens,
    targetTokens: meter.target,
    utilization: tokens / contextWindow,
    level: meter.level,
    messages: conversation.view.entries.length,
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

/** A manager's state in words, for a status line. */
export interface ManagerStatus {
  /** `75%` of the window. */
  readonly contextUsage: string;
  /** Messages of the view. */
  readonly messagesCount: number;
  /** Compressions so far, including undone ones. */
  readonly compressionCount: number;
  /** `2 minutes ago`, or `never`. */
  readonly lastCompression: string;
}

const units = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1000, 'second'],
] as const;

/** How long ago a moment was, in the largest unit that has fully passed. Both times are in ms since epoch. */
export function ago(moment: number | undefined, now: number): string {
  if (moment === undefined) return 'never';
  const passed = Math.max(0, now - moment);
  const unit = units.find(([length]) => passed >= length);
  if (unit === undefined) return 'just now';
  const count = Math.floor(passed / unit[0]);
  return `${count} ${unit[1]}${count === 1 ? '' : 's'} ago`;
}
