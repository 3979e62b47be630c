import type { CompressionLevel } from '../base/compression-level.js';
import type { Quality } from '../count/count.js';
import type { Edit, ResolvedEdit } from '../view/edit.js';
import type { RejectedEdit } from '../view/gate.js';
import type { CompressionRecord, CompressionTotals, StageReport } from './record.js';

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
export interface Simulation {
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly messagesBefore: number;
  readonly messagesAfter: number;
  readonly edits: readonly ResolvedEdit[];
  readonly rejected: readonly RejectedEdit[];
  /** Edits that would need something outside, such as a model. They are not counted. */
  readonly unresolved: readonly Edit[];
  readonly stages: readonly StageReport[];
}

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
}
