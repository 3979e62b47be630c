import * as z from 'zod/mini';
import { english } from '../base/english.js';
import { CtxError } from '../base/errors.js';
import { isFields } from '../base/native.js';
import type { BreakerState } from '../budget/circuit-breaker.js';
import type { MeterState } from '../budget/meter.js';
import { noCost } from '../budget/request-cost.js';
import type { CompressorState } from '../compress/compressor.js';
import type { CompressionRecord, CompressionTotals } from '../compress/record.js';
import type { CalibrationState } from '../count/calibrate.js';
import type { Message } from '../transcript/message.js';
import { isMessage } from '../transcript/parse-message.js';
import type { EditKinds } from '../view/edits/edit-kind.js';
import { plainEdit } from '../view/edits/index.js';
import type { EpochState } from '../view/epoch.js';
import type { RecordsState } from '../view/records-in-force.js';
import type { ArchiveState } from './archive-log.js';

/** Changes with the form of a snapshot. */
export const snapshotVersion = 3;

/** The whole state of a manager as plain JSON, without configuration and strategies. */
export interface Snapshot extends RecordsState<CompressionRecord> {
  readonly version: 3;
  /** The provider and model that the manager was made for. */
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
  readonly messages: readonly {
    readonly id: string;
    readonly message: Message;
    /** Ms since epoch; missing in older snapshots. */
    readonly createdAt?: number | undefined;
  }[];
  readonly pins: readonly string[];
  readonly calibration: CalibrationState;
  readonly totals: CompressionTotals;
  readonly recordNumber: number;
  /** Missing in older snapshots. */
  readonly epoch?: EpochState | undefined;
  /** How many messages were sent at least once; missing in older snapshots. */
  readonly sent?: number | undefined;
  /** What is sent in the place of results that were too large when they arrived. */
  readonly excerpts?: readonly (readonly [id: string, part: number, text: string])[] | undefined;
  /** The number of the next generated id. This field and those below are missing in older snapshots. */
  readonly nextNumber?: number | undefined;
  readonly meter?: Omit<MeterState, 'calibration'> | undefined;
  readonly compressor?: Pick<CompressorState, 'metrics' | 'stalled'> | undefined;
  readonly breaker?: BreakerState | undefined;
  readonly modelPause?: BreakerState | undefined;
  /** Reductions since the provider last accepted a request. */
  readonly recoveries?: number | undefined;
  /** When the last check ran, in ms since epoch. */
  readonly lastCheck?: number | undefined;
  /** How far it is archived; missing without an archive. */
  readonly archive?: ArchiveState | undefined;
}

const number = z.number();
/** Missing in older snapshots. */
const costSchema = z.optional(
  z.object({
    prefixTokens: number,
    rewrittenTokens: number,
    withoutCompression: number,
    withCompression: number,
    savedPerRequest: number,
    breakEvenRequests: z.custom<number | null>(isNumberOrNull),
  }),
);
const named = z.string();
const optionalNumber = z.optional(number);
const breaker = z.object({ strikes: number, openUntil: optionalNumber, tokens: number });
const optionalText = z.optional(z.string());
const row = z.custom<readonly number[]>(isRow);
const numbered = listOf<[string, number]>(isText, isNumber);
const countedSchema = z.object({ tokens: number, toolCalls: number, imageTokens: optionalNumber });
const range = listOf<[number, number]>(isNumber, isNumber);
/** Edits are checked separately, because the known edit types depend on the container. */
const edits = z.array(z.unknown());
const view = z.array(
  z.union([
    range,
    z.object({ index: number, version: named, message: z.custom(isMessage) }),
    z.object({
      id: named,
      text: named,
      version: optionalText,
      origins: z.array(range),
      exchange: optionalNumber,
    }),
  ]),
);
const reportSchema = z.object({ counted: countedSchema, reported: number });
const snapshotSchema = z.object({
  version: z.literal(snapshotVersion),
  provider: optionalText,
  model: optionalText,
  messages: z.array(
    z.object({
      id: z.string(),
      message: z.unknown(),
      createdAt: optionalNumber,
    }),
  ),
  records: z.array(
    z.object({
      id: z.string(),
      transcriptLength: number,
      cost: costSchema,
      edits,
    }),
  ),
  pins: z.array(z.string()),
  calibration: z.object({
    mean: row,
    covariance: z.custom<readonly (readonly number[])[]>(isSquare),
    samples: number,
    anchor: z.optional(reportSchema),
    reports: z.optional(z.array(reportSchema)),
  }),
  totals: z.object({
    compressions: number,
    tokensRemoved: number,
    messagesRemoved: number,
    averageRatio: number,
    cost: costSchema,
  }),
  recordNumber: number,
  epoch: z.optional(
    z.object({
      number,
      asked: optionalNumber,
      prefixes: z.array(numbered),
    }),
  ),
  sent: optionalNumber,
  excerpts: z.optional(z.array(listOf<[string, number, string]>(isText, isNumber, isText))),
  base: z.optional(z.object({ records: z.array(named), transcriptLength: number, view })),
  nextNumber: optionalNumber,
  meter: z.optional(
    z.object({
      learnedLoaded: z.optional(z.boolean()),
      tools: optionalText,
      overpaid: optionalNumber,
      restingMessages: optionalNumber,
      doubt: optionalText,
      paidAt: optionalText,
      request: z.optional(z.object({ counted: countedSchema, generation: number, loaded: z.boolean() })),
    }),
  ),
  compressor: z.optional(
    z.object({
      metrics: z.optional(
        z.object({
          last: z.optional(z.record(named, number)),
          sums: z.record(named, number),
          stages: z.array(listOf<[string, Record<string, number>]>(isText, isRecord)),
        }),
      ),
      stalled: z.optional(z.array(numbered)),
    }),
  ),
  breaker: z.optional(breaker),
  modelPause: z.optional(breaker),
  recoveries: optionalNumber,
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

/** A figure for each coefficient; older snapshots have none for images. */
function isRow(value: unknown): boolean {
  return Array.isArray(value) && (value.length === 3 || value.length === 4) && value.every(isNumber);
}

function isSquare(value: unknown): boolean {
  return (
    Array.isArray(value) && isRow(value[0]) && value.every((one) => isRow(one) && one.length === value.length)
  );
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isRecord(value: unknown): boolean {
  return isFields(value) && Object.values(value).every(isNumber);
}

function isNumberOrNull(value: unknown): boolean {
  return value === null || typeof value === 'number';
}

/**
 * Checks the form of a snapshot. Its messages and edits are checked when they are applied.
 * @throws CtxError `snapshot-invalid`
 */
export function parseSnapshot(value: unknown, kinds: EditKinds): Snapshot {
  if (isFields(value) && isNumber(value.version) && value.version !== snapshotVersion)
    throw otherVersion(value.version);
  const parsed = snapshotSchema.safeParse(value, english);
  if (parsed.success) {
    const snapshot = value as Snapshot;
    for (const [at, { edits }] of snapshot.records.entries()) {
      if (!edits.every((edit) => plainEdit(edit, kinds) !== undefined))
        throw invalidSnapshot('an edit has an unknown type or an invalid form', `records.${at}.edits`);
    }
    return { ...snapshot, totals: { ...snapshot.totals, cost: parsed.data.totals.cost ?? noCost } };
  }
  const issue = parsed.error.issues[0];
  throw invalidSnapshot(issue?.message ?? 'unknown form', issue?.path.join('.'));
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

export function invalidSnapshot(problem: string, place = 'snapshot'): CtxError {
  return new CtxError({
    code: 'snapshot-invalid',
    problem: `The snapshot can't be restored: ${problem}`,
    place,
    remedy: 'Pass what manager.snapshot() returned, unchanged or parsed back from JSON.',
  });
}
