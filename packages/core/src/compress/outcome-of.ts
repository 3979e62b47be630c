import type { RejectedEdit } from '../view/gate.js';
import type { CompressionOutcome } from './outcome.js';
import type { CompressionRecord, StageReport } from './record.js';

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
