import type { CompressionLevel } from '../base/compression-level.js';
import type { SessionCost } from '../budget/spending.js';
import type { Quality } from '../count/count.js';
import type { Edit, ResolvedEdit } from '../view/edit.js';
import type { RejectedEdit } from '../view/gate.js';
import { runPipeline } from './pipeline.js';
import type { CompressionRecord, CompressionTotals, StageReport } from './record.js';
import type { Run } from './run.js';

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
  /** What the session has cost so far, and would have cost without compressing. */
  readonly spent: SessionCost;
}

/** Where a compression has ended. */
interface End {
  /** Why it was asked for. */
  readonly reason: string;
  readonly record: CompressionRecord | undefined;
  readonly stages: readonly StageReport[];
  /** The first of its edits, if none of them was put in force. */
  readonly refused: RejectedEdit | undefined;
  /** Why the target was missed, in words; `undefined` if it was reached. */
  readonly missed: string | undefined;
}

export const noProgress = 'no stage made progress';

/** What became of a compression, with the reason in words. */
export function outcomeOf({ reason, record, stages, refused, missed }: End): CompressionOutcome {
  if (missed === undefined) {
    if (record !== undefined) return { status: 'compressed', reason, record };
    const unchanged = refused === undefined ? 'already at the target' : outdated(refused);
    return { status: 'unchanged', reason: unchanged };
  }
  if (record !== undefined) return { status: 'insufficient', reason: missed, record };
  if (refused !== undefined) return { status: 'insufficient', reason: outdated(refused), stages };
  return { status: 'insufficient', reason: [noProgress, ...excusesOf(stages)].join(': '), stages };
}

/** Why nothing of a compression was put in force although its stages made progress. */
function outdated({ detail }: RejectedEdit): string {
  return `the conversation changed while it was compressed: ${detail}`;
}

/** Joins the reasons why stages did nothing; empty if none gave a reason. */
function excusesOf(stages: readonly StageReport[]): string[] {
  const excuses = stages.flatMap(({ strategy, reason, error }) => {
    const why = error ?? reason;
    return why === undefined ? [] : [`${strategy}: ${why}`];
  });
  return excuses.length === 0 ? [] : [excuses.join('; ')];
}

/**
 * Runs the stages without ports and events, and puts nothing in force.
 * @param fixedTokens tokens of a request beside the messages
 * @throws CtxError `aborted`
 */
export async function simulationOf(run: Run, fixedTokens: number): Promise<Simulation> {
  const { view } = run;
  const [tokensBefore, messagesBefore] = [view.tokens, view.entries.length];
  const result = await runPipeline({ ...run, ports: undefined, events: undefined });
  return {
    tokensBefore: tokensBefore + fixedTokens,
    tokensAfter: result.view.tokens + fixedTokens,
    messagesBefore,
    messagesAfter: result.view.entries.length,
    edits: result.edits,
    rejected: result.rejected,
    unresolved: result.unresolved,
    stages: result.stages,
  };
}
