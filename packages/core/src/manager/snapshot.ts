import { z } from 'zod';
import { CtxError } from '../base/errors.js';
import { noCost } from '../budget/request-cost.js';
import type { CompressionRecord, CompressionTotals } from '../compress/record.js';
import type { CalibrationState } from '../count/calibrate.js';
import type { Message } from '../transcript/message.js';
import type { EpochState } from '../view/conversation.js';
import { isResolved } from '../view/edit.js';
import { isEdit } from '../view/edit-form.js';

/** A manager's whole state as plain JSON, without configuration and strategies. */
export interface Snapshot {
  readonly version: 1;
  /** For whom the manager was made. */
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
  readonly messages: readonly {
    readonly id: string;
    readonly message: Message;
    /** Ms since epoch; missing in snapshots that were made before it was kept. */
    readonly createdAt?: number | undefined;
  }[];
  readonly records: readonly CompressionRecord[];
  readonly pins: readonly string[];
  readonly calibration: CalibrationState;
  readonly totals: CompressionTotals;
  readonly recordNumber: number;
  /** Missing in snapshots that were made before it was recorded. */
  readonly epoch?: EpochState | undefined;
}

const number = z.number();
/** Missing in snapshots that were made before it was recorded. */
const costSchema = z
  .object({
    prefixTokens: number,
    rewrittenTokens: number,
    withoutCompression: number,
    withCompression: number,
    savedPerRequest: number,
    breakEvenRequests: number.nullable(),
  })
  .optional();
const reportSchema = z.object({ counted: z.object({ tokens: number, toolCalls: number }), reported: number });
const snapshotSchema = z.object({
  version: z.literal(1),
  provider: z.string().optional(),
  model: z.string().optional(),
  messages: z.array(z.object({ id: z.string(), message: z.unknown(), createdAt: number.optional() })),
  records: z.array(
    z.looseObject({
      id: z.string(),
      transcriptLength: number,
      cost: costSchema,
      edits: z.array(z.custom((edit) => isEdit(edit) && isResolved(edit), 'is no resolved edit')),
    }),
  ),
  pins: z.array(z.string()),
  calibration: z.object({
    mean: z.array(number).length(3),
    covariance: z.array(z.array(number).length(3)).length(3),
    samples: number,
    anchor: reportSchema.optional(),
    reports: z.array(reportSchema).optional(),
  }),
  totals: z.object({
    compressions: number,
    tokensRemoved: number,
    messagesRemoved: number,
    averageRatio: number,
    cost: costSchema,
  }),
  recordNumber: number,
  epoch: z
    .object({
      number,
      asked: number.optional(),
      saidUnder: z.array(z.tuple([z.string(), number])),
    })
    .optional(),
});

/**
 * Checks the form of a snapshot; its messages and edits are checked when they are applied.
 * @throws CtxError `snapshot-invalid`
 */
export function parseSnapshot(value: unknown): Snapshot {
  const parsed = snapshotSchema.safeParse(value);
  if (parsed.success) {
    const snapshot = value as Snapshot;
    return { ...snapshot, totals: { ...snapshot.totals, cost: parsed.data.totals.cost ?? noCost } };
  }
  const issue = parsed.error.issues[0];
  throw invalidSnapshot(issue?.message ?? 'unknown form', issue?.path.join('.'));
}

export function invalidSnapshot(problem: string, place = 'snapshot'): CtxError {
  return new CtxError({
    code: 'snapshot-invalid',
    problem: `The snapshot can't be restored: ${problem}`,
    place,
    remedy: 'Pass what manager.snapshot() returned, unchanged or parsed back from JSON.',
  });
}
