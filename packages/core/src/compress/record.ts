import type { CompressionLevel } from '../base/compression-level.js';
import { noCost, type RequestCost, sumOfCosts } from '../budget/request-cost.js';
import type { MessageId } from '../transcript/message.js';
import type { ResolvedEdit } from '../view/edit.js';
import type { RejectedEdit } from '../view/gate.js';

/** What one strategy did in a compression. */
export interface StageReport {
  readonly strategy: string;
  /** For a strategy made of strategies: the one that planned. */
  readonly chosen?: string | undefined;
  readonly notes?: Readonly<Record<string, unknown>> | undefined;
  readonly status: 'progress' | 'no-progress' | 'failed';
  /** Number of its edits that were applied. */
  readonly edits: number;
  /** Tokens of the view's messages after it. */
  readonly tokensAfter: number;
  /** Why it proposed nothing, in the strategy's words. */
  readonly reason?: string | undefined;
  /** Why it failed. */
  readonly error?: string | undefined;
  /** True where it ran because a stage before it failed or did not reach the target; see the event `fallback-use`. */
  readonly fallback?: true;
}

/** One compression, as plain JSON: enough to replay it, undo it and show it as a diff. */
export interface CompressionRecord {
  readonly id: string;
  /** Ms since epoch. */
  readonly createdAt: number;
  readonly durationMs: number;
  /** Why it ran. */
  readonly reason: string;
  readonly level: CompressionLevel;
  /** The strategies that changed something, joined by ` + `. */
  readonly strategy: string;
  readonly chosen?: string | undefined;
  readonly stages: readonly StageReport[];
  readonly edits: readonly ResolvedEdit[];
  readonly rejected: readonly RejectedEdit[];
  /** Messages of the transcript that left the view with this record. */
  readonly removed: readonly MessageId[];
  /** Tokens of the request as counted here (not calibrated). */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly targetTokens: number;
  readonly messagesBefore: number;
  readonly messagesAfter: number;
  /** `tokensAfter / tokensBefore`; over 1 where more came, while it was planned, than left. */
  readonly ratio: number;
  /** Share of the tokens that was saved, `1 - ratio`: negative where the request grew. */
  readonly reduction: number;
  /** What it costs and saves with the prompt cache; missing in records of older snapshots. */
  readonly cost?: RequestCost | undefined;
  /** What allowed more than usual: a crowded window lets the newest user message be shortened, the last resort leaves fewer messages too. */
  readonly relaxed?: 'crowded' | 'last-resort' | undefined;
  /** Length of the transcript when it was made; rewinding to before that undoes it. */
  readonly transcriptLength: number;
}

/** Sums over every compression of a manager, also of those undone since. */
export interface CompressionTotals {
  readonly compressions: number;
  readonly tokensRemoved: number;
  readonly messagesRemoved: number;
  /** Mean of the ratios; 1 where there was no compression. */
  readonly averageRatio: number;
  /** Ms since epoch. */
  readonly lastCompressedAt: number | undefined;
  /** What they cost and save together with the prompt cache. Break-even: if so many requests follow each of them, all have paid together. */
  readonly cost: RequestCost;
}

export const noCompressions: CompressionTotals = {
  compressions: 0,
  tokensRemoved: 0,
  messagesRemoved: 0,
  averageRatio: 1,
  lastCompressedAt: undefined,
  cost: noCost,
};

export function addToTotals(totals: CompressionTotals, record: CompressionRecord): CompressionTotals {
  const compressions = totals.compressions + 1;
  return {
    compressions,
    tokensRemoved: totals.tokensRemoved + record.tokensBefore - record.tokensAfter,
    messagesRemoved: totals.messagesRemoved + record.messagesBefore - record.messagesAfter,
    averageRatio: (totals.averageRatio * totals.compressions + record.ratio) / compressions,
    lastCompressedAt: record.createdAt,
    cost: sumOfCosts(totals.cost, record.cost ?? noCost),
  };
}
