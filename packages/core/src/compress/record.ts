import type { CompressionLevel } from '../base/compression-level.js';
import { noCost, type RequestCost, sumOfCosts } from '../budget/request-cost.js';
import type { MessageId } from '../transcript/message.js';
import type { Edit } from '../view/edit.js';
import type { RejectedEdit } from '../view/gate.js';
import type { AppliedRecord } from '../view/records-in-force.js';

/** What one strategy did in a compression. */
export interface StageReport {
  readonly strategy: string;
  /** For a strategy made of strategies: the one that planned. */
  readonly chosen?: string | undefined;
  readonly notes?: Readonly<Record<string, unknown>> | undefined;
  readonly status: 'progress' | 'no-progress' | 'failed';
  /** Number of its edits that were applied. */
  readonly edits: number;
  /** Tokens of the view's messages after the stage. */
  readonly tokensAfter: number;
  /** Why it proposed nothing, in the strategy's words. */
  readonly reason?: string | undefined;
  /** Why it failed. */
  readonly error?: string | undefined;
  /** True if it ran because an earlier stage failed or did not reach the target; see the event `fallback-use`. */
  readonly fallback?: true;
}

/** One compression as plain JSON, complete enough to replay it, undo it and show it as a diff. */
export interface CompressionRecord extends AppliedRecord {
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
  readonly rejected: readonly RejectedEdit[];
  /** Messages of the transcript that were removed from the view by this record. */
  readonly removed: readonly MessageId[];
  /** Tokens of the request as counted here (not calibrated). */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly targetTokens: number;
  readonly messagesBefore: number;
  readonly messagesAfter: number;
  /** `tokensAfter / tokensBefore`. More than 1 if more tokens arrived during planning than left. */
  readonly ratio: number;
  /** Share of the tokens that was saved, `1 - ratio`. Negative if the request grew. */
  readonly reduction: number;
  /** What it costs and saves with the prompt cache. */
  readonly cost: RequestCost;
  /**
   * Why more than usual was allowed. In a crowded window, what must stay is larger than the window, so the task and what the
   * model has not read may be shortened. The last resort may also leave fewer messages.
   */
  readonly relaxed?: 'crowded' | 'last-resort' | undefined;
}

/** Sums over all compressions of a manager, including undone ones. What was made before a send is none. */
export interface CompressionTotals {
  readonly compressions: number;
  readonly tokensRemoved: number;
  readonly messagesRemoved: number;
  /** Mean of the ratios; 1 if there was no compression. */
  readonly averageRatio: number;
  /** Ms since epoch. */
  readonly lastCompressedAt: number | undefined;
  /**
   * What all of them cost and save with the prompt cache. Break-even: if this many requests follow each one, all have
   * paid for themselves together.
   */
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
    cost: sumOfCosts(totals.cost, record.cost),
  };
}

/** The result of a check or a compression. */
export interface CompressionOutcome {
  /** `insufficient`: the target was not reached, but the view fits the window. */
  readonly status: 'unchanged' | 'compressed' | 'insufficient' | 'failed';
  readonly reason: string;
  readonly record?: CompressionRecord | undefined;
  /** What each strategy did, if nothing changed. Otherwise the record has it. */
  readonly stages?: readonly StageReport[] | undefined;
  readonly error?: unknown;
}

/** What a compression would do. Tokens are those of the request, as counted here. */
export interface Simulation
  extends Pick<CompressionRecord, 'tokensBefore' | 'tokensAfter' | 'messagesBefore' | 'messagesAfter'>,
    Pick<CompressionRecord, 'edits' | 'rejected' | 'stages'> {
  /** Edits that would need something outside, such as a model. They are not counted. */
  readonly unresolved: readonly Edit[];
}
