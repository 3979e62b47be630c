import { type ArchivedMessage, type ArchiveEntry, ConfigError, type ErrorFields } from '@ctx/core';
import { faultsIn } from '@ctx/core/kit';
import * as z from '@ctx/core/zod';
import { invalidEntry } from './archive-errors.js';

/** What every archive can be told, whatever it keeps its texts in. */
export interface ArchiveOptions {
  /** Counts tokens. @default an estimate from length and script */
  readonly tokensOf?: ((text: string) => number) | undefined;
  /** Takes secrets out of a text before it is kept. Called with texts, headings and paths. @default nothing is taken out */
  readonly redact?: ((text: string) => string) | undefined;
  /** Ms. A conversation to which nothing was added for this long is forgotten. @default never */
  readonly timeToLive?: number | undefined;
  /** Ms since epoch. @default Date.now */
  readonly now?: (() => number) | undefined;
}

const that = (wanted: string, isRight: (value: unknown) => boolean) =>
  z.custom((value) => isRight(value), `it must be ${wanted}`);
export const text = that('a text', (value) => typeof value === 'string');
const name = that('a text that is not empty', (value) => typeof value === 'string' && value !== '');
const whole = (least: number) =>
  that(`a whole number from ${least}`, (value) => Number.isSafeInteger(value) && Number(value) >= least);
const time = that('a time in ms since epoch', Number.isFinite);
const callable = that('a function', (value) => typeof value === 'function').optional();
const list = that('a list', Array.isArray);
/** May be infinite. */
export const amount = that('a number above 0', (value) => typeof value === 'number' && value > 0).optional();
const kinds: readonly ArchiveEntry['kind'][] = ['user', 'assistant', 'call', 'result', 'summary', 'system'];
const isKind = (value: unknown) => kinds.some((one) => one === value);

const entry = z.object({
  conversation: name,
  message: whole(1),
  part: whole(0),
  line: whole(1),
  kind: that(`one of ${kinds.join(', ')}`, isKind),
  heading: text,
  path: text.optional(),
  text,
  time,
});
const archived = z.object({ message: z.object({}), calls: list });

/** The options of every archive. */
export const archiveOptions = z.strictObject({
  tokensOf: callable,
  redact: callable,
  timeToLive: amount,
  now: callable,
});
export const searchOptions = z.strictObject({
  conversation: name,
  maxTokens: amount,
  kind: that(`one of ${kinds.join(', ')}, or a list of them`, (value) =>
    [value].flat().every(isKind),
  ).optional(),
  path: text.optional(),
  since: time.optional(),
  within: text.optional(),
  shown: list.optional(),
});
export const getOptions = z.strictObject({ conversation: name, maxTokens: amount, said: callable });

/**
 * Refuses messages that are none.
 * @throws CtxError `archive-entry-invalid`
 */
export function checkMessages(messages: readonly ArchivedMessage[]): void {
  const [fault] = faultsOf(z.array(archived), messages, 'messages');
  if (fault !== undefined) throw invalidEntry(fault);
}

/**
 * Refuses a list of entries that could not be kept as they are.
 * @throws CtxError `archive-entry-invalid`
 */
export function checkEntries(entries: readonly ArchiveEntry[]): void {
  const [fault] = faultsOf(z.array(entry), entries, 'entries');
  if (fault !== undefined) throw invalidEntry(fault);
  const other = entries.findIndex(({ conversation }) => conversation !== entries[0]?.conversation);
  if (other < 0) return;
  throw invalidEntry({
    place: `entries[${other}].conversation`,
    value: entries[other]?.conversation,
    problem: 'All entries of a put are of one conversation',
  });
}

/** @throws ConfigError `config-invalid` */
export function checkOptions(options: unknown, schema: z.ZodType = archiveOptions, place = 'options'): void {
  const [first, ...others] = faultsOf(schema, options, place);
  if (first !== undefined) throw new ConfigError(first, others);
}

/** A text that is not empty. @throws ConfigError `config-invalid` */
export function checkName(value: unknown, place: string): void {
  checkOptions(value, name, place);
}

export const pool = that(
  'a Pool of pg',
  (value) => typeof (value as { connect?: unknown } | null | undefined)?.connect === 'function',
);

function faultsOf(schema: z.ZodType, given: unknown, place: string): ErrorFields[] {
  return faultsIn(schema, given, {
    subject: 'This is',
    unknown: 'Unknown option',
    keys: 'The options',
    whole: place,
    within: [place],
    remedyFor: ({ guess }) =>
      guess === undefined ? 'Correct it, or leave it out if it is optional.' : undefined,
  });
}
