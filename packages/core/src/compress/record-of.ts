import type { CompressionLevel } from '../base/compression-level.js';
import type { RequestCost } from '../budget/request-cost.js';
import type { MessageId } from '../transcript/message.js';
import type { Applied } from '../view/gate.js';
import type { View } from '../view/view.js';
import type { CompressionRecord } from './record.js';
import type { RunResult } from './run.js';

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
  readonly run: RunResult;
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
  const shown = new Set(after.entries.map((entry) => entry.id));
  const left = before.entries.filter(({ id }) => !shown.has(id));
  return left.filter(({ id, origins }) => origins.isOnly(id)).map(({ id }) => id);
}
