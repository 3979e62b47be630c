import * as z from 'zod/mini';
import { CtxError } from '../base/errors.js';
import { isFields } from '../base/native.js';
import { english } from '../base/value-forms.js';
import type { BreakerState } from '../budget/circuit-breaker.js';
import type { MeterState } from '../budget/meter.js';
import type { CompressorState } from '../compress/compressor.js';
import type { CompressionRecord } from '../compress/record.js';
import type { CalibrationState } from '../count/calibrate.js';
import type { Message } from '../transcript/message.js';
import { isMessage } from '../transcript/parse-message.js';
import type { ConversationState } from '../view/conversation.js';
import type { EditKinds } from '../view/edits/edit-kind.js';
import { plainEdit } from '../view/edits/index.js';
import type { ArchiveState } from './archive-log.js';

/** Changes with the form of a snapshot. */
export const snapshotVersion = 4;

/** The whole state of a manager as plain JSON, without configuration and strategies. */
export interface Snapshot
  extends ConversationState<CompressionRecord>,
    Pick<CompressorState, 'totals' | 'recordNumber'> {
  readonly version: 4;
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
  readonly messages: readonly {
    readonly id: string;
    readonly message: Message;
    /** Ms since epoch. */
    readonly createdAt?: number | undefined;
  }[];
  readonly calibration: CalibrationState;
  /** What is sent in the place of results that were too large when they arrived. */
  readonly excerpts?: readonly (readonly [id: string, part: number, text: string])[] | undefined;
  readonly nextNumber: number;
  readonly meter: Omit<MeterState, 'calibration'>;
  readonly compressor: Pick<CompressorState, 'stalled'>;
  readonly breaker: BreakerState;
  readonly modelPause: BreakerState;
  /** Reductions since the provider last accepted a request. */
  readonly recoveries: number;
  /** When the last check ran, in ms since epoch. */
  readonly lastCheck?: number | undefined;
  /** How far it is archived; missing without an archive. */
  readonly archive?: ArchiveState | undefined;
}

const number = z.number();
const costSchema = z.object({
  prefixTokens: number,
  rewrittenTokens: number,
  withoutCompression: number,
  withCompression: number,
  savedPerRequest: number,
  breakEvenRequests: z.nullable(number),
});
const named = z.string();
const optionalNumber = z.optional(number);
const breaker = z.object({ strikes: number, openUntil: optionalNumber, tokens: number });
const optionalText = z.optional(z.string());
/** The calibration has four coefficients. */
const row = z.array(number).check(z.length(4));
const numbered = listOf<[string, number]>(isText, isNumber);
const countedSchema = z.object({ tokens: number, toolCalls: number, imageTokens: optionalNumber });
const view = z.array(
  z.union([
    number,
    z.object({ index: number, version: named, message: z.custom(isMessage) }),
    z.object({
      id: named,
      text: named,
      version: optionalText,
      origins: z.array(number),
      exchange: number,
    }),
  ]),
);
const reportSchema = z.object({ counted: countedSchema, reported: number });
const snapshotSchema = z.object({
  version: z.literal(snapshotVersion),
  provider: optionalText,
  model: optionalText,
  messages: z.array(z.object({ id: named, message: z.unknown(), createdAt: optionalNumber })),
  // Edits are checked separately, because the known edit types depend on the container.
  records: z.array(
    z.object({ id: named, transcriptLength: number, cost: costSchema, edits: z.array(z.unknown()) }),
  ),
  pins: z.array(named),
  calibration: z.object({
    mean: row,
    covariance: z.array(row).check(z.length(4)),
    samples: number,
    anchor: z.optional(reportSchema),
    reports: z.array(reportSchema),
  }),
  totals: z.object({
    compressions: number,
    tokensRemoved: number,
    messagesRemoved: number,
    averageRatio: number,
    cost: costSchema,
  }),
  recordNumber: number,
  epoch: z.object({ number, asked: optionalNumber, prefixes: z.array(numbered) }),
  sent: optionalNumber,
  excerpts: z.optional(z.array(listOf<[string, number, string]>(isText, isNumber, isText))),
  base: z.optional(z.object({ records: z.array(named), transcriptLength: number, view })),
  nextNumber: number,
  meter: z.object({
    learnedLoaded: z.optional(z.boolean()),
    tools: optionalText,
    overpaid: number,
    paidRequests: number,
    doubt: optionalText,
    paidAt: optionalText,
    asked: z.optional(
      z.array(
        z.union([
          listOf<[number, number]>(isNumber, isNumber),
          listOf<[number, number, string]>(isNumber, isNumber, isText),
        ]),
      ),
    ),
    askedMessages: optionalNumber,
    askedRecord: optionalText,
    spent: z.optional(z.record(named, number)),
    request: z.optional(z.object({ counted: countedSchema, generation: number, loaded: z.boolean() })),
  }),
  compressor: z.object({ stalled: z.array(numbered) }),
  breaker,
  modelPause: breaker,
  recoveries: number,
  lastCheck: optionalNumber,
  archive: z.optional(z.object({ conversation: named, written: number, cut: optionalNumber })),
});

/** A list of fixed length. Smaller than zod's tuples, which nothing else needs. */
function listOf<List extends readonly unknown[]>(...checks: ((value: unknown) => boolean)[]) {
  const isList = (value: unknown) =>
    Array.isArray(value) && value.length === checks.length && checks.every((check, at) => check(value[at]));
  return z.custom<List>(isList);
}

function isNumber(value: unknown): value is number {
  return Number.isFinite(value);
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

/**
 * Checks the form of a snapshot. Its messages and edits are checked when they are applied.
 * @throws CtxError `snapshot-invalid`
 */
export function parseSnapshot(value: unknown, kinds: EditKinds): Snapshot {
  if (isFields(value) && isNumber(value.version) && value.version !== snapshotVersion)
    throw otherVersion(value.version);
  const parsed = snapshotSchema.safeParse(value, english);
  const issue = parsed.error?.issues[0];
  if (issue !== undefined) throw invalidSnapshot(issue.message, issue.path.join('.'));
  const snapshot = value as Snapshot;
  for (const [at, { edits }] of snapshot.records.entries()) {
    if (!edits.every((edit) => plainEdit(edit, kinds) !== undefined))
      throw invalidSnapshot('an edit has an unknown type or an invalid form', `records.${at}.edits`);
  }
  return snapshot;
}

function otherVersion(version: number): CtxError {
  return new CtxError({
    code: 'snapshot-invalid',
    problem: `The snapshot can't be restored: its form is version ${version}, this release reads version ${snapshotVersion}`,
    place: 'version',
    value: version,
    remedy: 'Restore it with the release that made it, or start again with the messages of the conversation.',
  });
}

export function invalidSnapshot(problem: string, place: string): CtxError {
  return new CtxError({
    code: 'snapshot-invalid',
    problem: `The snapshot can't be restored: ${problem}`,
    place,
    remedy: `Pass what manager.snapshot() of a release with snapshots of version ${snapshotVersion} returned, unchanged or parsed back from JSON.`,
  });
}
