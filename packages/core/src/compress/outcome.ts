import type { CompressionLevel } from '../base/compression-level.js';
import type { Quality } from '../count/count.js';
import type { Edit, ResolvedEdit } from '../view/edit.js';
import type { RejectedEdit } from '../view/gate.js';
import type { CompressionRecord, CompressionTotals, StageReport } from './record.js';

/** What a check or a compression came to. */
export interface CompressionOutcome {
  /** `insufficient`: the target was not reached, but the view fits the window. */
  readonly status: 'unchanged' | 'compressed' | 'insufficient' | 'failed';
  readonly reason: string;
  readonly record?: CompressionRecord | undefined;
  /** What each strategy did, where nothing came of it; else the record says it. */
  readonly stages?: readonly StageReport[] | undefined;
  readonly error?: unknown;
}

/** What a compression would do. Tokens of the request, as counted here. */
export interface Simulation {
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly messagesBefore: number;
  readonly messagesAfter: number;
  readonly edits: readonly ResolvedEdit[];
  readonly rejected: readonly RejectedEdit[];
  /** Edits that would have to ask something outside, such as a model; they are not counted. */
  readonly unresolved: readonly Edit[];
  readonly stages: readonly StageReport[];
}

export interface ContextStats extends CompressionTotals {
  /** Tokens of the next request, in the provider's measure as far as it is known. */
  readonly currentTokens: number;
  /** The same as counted here. */
  readonly countedTokens: number;
  /** Whether `currentTokens` is counted, corrected by reported usage, or a guess in part. */
  readonly quality: Quality;
  /** The context window. */
  readonly maxTokens: number;
  /** What of it a request may use. */
  readonly allowedTokens: number;
  readonly targetTokens: number;
  /** `currentTokens / maxTokens`. */
  readonly utilization: number;
  readonly level: CompressionLevel;
  /** Messages of the view, and of the transcript. */
  readonly messages: number;
  readonly transcriptMessages: number;
  readonly historyCount: number;
}
