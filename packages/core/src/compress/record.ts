import type { CompressionLevel } from '../base/compression-level.js';
import { noCost, type RequestCost, sumOfCosts } from '../budget/request-cost.js';
import type { MessageId } from '../transcript/message.js';
import type { ResolvedEdit } from '../view/edit.js';
import type { Applied, RejectedEdit } from '../view/gate.js';
import type { View } from '../view/view.js';
import type { ViewEntry } from '../view/view-entry.js';

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
  /** What it costs and saves with the prompt cache. Missing in records of older snapshots. */
  readonly cost?: RequestCost | undefined;
  /**
   * Why more than usual was allowed. In a crowded window, what must stay is larger than the window, so the task and what the
   * model has not read may be shortened. The last resort may also leave fewer messages.
   */
  readonly relaxed?: 'crowded' | 'last-resort' | undefined;
  /** True if it was made before a send, below the trigger. `manager.simplifications` has it, not `manager.history`. */
  readonly beforeSend?: true | undefined;
  /** Length of the transcript when the record was made. Rewinding to an earlier point undoes it. */
  readonly transcriptLength: number;
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
    cost: sumOfCosts(totals.cost, record.cost ?? noCost),
  };
}

/** A record keeps at most this many rejected edits. The event `edit-reject` reports every one. */
const maxRejected = 100;

/** The state of the conversation before or after a compression. */
export interface Standing {
  /** Tokens of the next request, in the provider's measure. */
  readonly tokens: number;
  /** The same as counted here. */
  readonly countedTokens: number;
  readonly level: CompressionLevel;
  /** Messages in the view. */
  readonly messages: number;
  readonly view: View;
}

/** The results of a compression. */
interface Done {
  readonly id: string;
  readonly createdAt: number;
  readonly durationMs: number;
  readonly reason: string;
  readonly run: Pick<CompressionRecord, 'stages' | 'rejected' | 'relaxed'>;
  readonly committed: Applied;
  readonly targetTokens: number;
  readonly cost: RequestCost;
  readonly transcriptLength: number;
  readonly beforeSend: true | undefined;
}

/** The record of a compression that changed something. */
export function recordOf(before: Standing, after: Standing, done: Done): CompressionRecord {
  const { run, committed } = done;
  const progress = run.stages.filter(({ status }) => status === 'progress');
  const ratio = after.countedTokens / before.countedTokens;
  return {
    id: done.id,
    createdAt: done.createdAt,
    durationMs: done.durationMs,
    reason: done.reason,
    level: before.level,
    strategy: progress.map(({ strategy }) => strategy).join(' + '),
    chosen: progress.find(({ chosen }) => chosen !== undefined)?.chosen,
    stages: run.stages,
    edits: committed.accepted,
    rejected: [...run.rejected, ...committed.rejected].slice(0, maxRejected),
    removed: missing(before.view, committed.view),
    tokensBefore: before.countedTokens,
    tokensAfter: after.countedTokens,
    targetTokens: done.targetTokens,
    messagesBefore: before.messages,
    messagesAfter: after.messages,
    ratio,
    reduction: 1 - ratio,
    cost: done.cost,
    relaxed: run.relaxed,
    ...(done.beforeSend && { beforeSend: true }),
    transcriptLength: done.transcriptLength,
  };
}

/**
 * Messages of the transcript that one view shows by themselves and the other does not. Messages inside a merged one had
 * left earlier.
 */
function missing(before: View, after: View): MessageId[] {
  if (before.entries.every(({ id }, at) => id === after.entries[at]?.id)) return [];
  const removed: MessageId[] = [];
  // Messages that stand for themselves are in order in both.
  const staying = after.entries.filter(isItself);
  let at = 0;
  for (const { id, origins } of before.entries.filter(isItself)) {
    while (at < staying.length && (staying[at] as ViewEntry).origins.lowest < origins.lowest) at += 1;
    if (staying[at]?.id !== id) removed.push(id);
  }
  return removed;
}

function isItself({ id, origins }: ViewEntry): boolean {
  return origins.isOnly(id);
}
