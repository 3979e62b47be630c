import {
  type Archive,
  type ArchivedMessage,
  type ArchiveEntry,
  ConfigError,
  type ErrorFields,
} from '@ctx/core';
import { nearest } from '@ctx/core/kit';
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

type ArchiveKind = ArchiveEntry['kind'];
/** Says what a value has to be; undefined if it is that. */
type Check = (value: unknown) => string | undefined;
type Checks<Options> = Readonly<Record<keyof Options, Check>>;

const kinds: Readonly<Record<ArchiveKind, true>> = {
  user: true,
  assistant: true,
  call: true,
  result: true,
  summary: true,
  system: true,
};

const that =
  (wanted: string, isRight: (value: unknown) => boolean): Check =>
  (value) =>
    isRight(value) ? undefined : wanted;
const isText = that('a text', (value) => typeof value === 'string');
const isName = that('a text that is not empty', (value) => typeof value === 'string' && value !== '');
const isCount = that('a whole number from 0', (value) => Number.isSafeInteger(value) && Number(value) >= 0);
const isNumber = that('a whole number from 1', (value) => Number.isSafeInteger(value) && Number(value) >= 1);
const isTime = that('a time in ms since epoch', Number.isFinite);
const isPositive = that('a number above 0', (value) => typeof value === 'number' && value > 0);
const isFunction = that('a function', (value) => typeof value === 'function');
const isList = that('a list of messages', Array.isArray);
const isKind = that(
  `one of ${Object.keys(kinds).join(', ')}`,
  (value) => typeof value === 'string' && Object.hasOwn(kinds, value),
);
const areKinds: Check = (value) =>
  Array.isArray(value) ? value.map(isKind).find((one) => one !== undefined) : isKind(value);
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined ? undefined : check(value);

const entryChecks: Checks<ArchiveEntry> = {
  conversation: isName,
  message: isNumber,
  part: isCount,
  line: isNumber,
  kind: isKind,
  heading: isText,
  path: optional(isText),
  text: isText,
  time: isTime,
};
const optionChecks: Checks<ArchiveOptions> = {
  tokensOf: optional(isFunction),
  redact: optional(isFunction),
  timeToLive: optional(isPositive),
  now: optional(isFunction),
};
const searchChecks: Checks<Parameters<Archive['search']>[1]> = {
  conversation: isName,
  maxTokens: optional(isPositive),
  kind: optional(areKinds),
  path: optional(isText),
  since: optional(isTime),
  within: optional(isText),
  shown: optional(isList),
};
const getChecks: Checks<Parameters<Archive['get']>[1]> = {
  conversation: isName,
  maxTokens: optional(isPositive),
  said: optional(isFunction),
};

/**
 * Refuses messages that are none.
 * @throws CtxError `archive-entry-invalid`
 */
export function checkMessages(messages: readonly ArchivedMessage[]): void {
  if (!Array.isArray(messages)) throw invalidEntry('messages', messages, 'The messages must be a list');
  for (const [index, one] of messages.entries()) {
    const isWhole = typeof one?.message === 'object' && one.message !== null && Array.isArray(one.calls);
    if (!isWhole)
      throw invalidEntry(`messages[${index}]`, one, 'A message is archived with its number, calls and time');
  }
}

/**
 * Refuses a list of entries that could not be kept as they are.
 * @throws CtxError `archive-entry-invalid`
 */
export function checkEntries(entries: readonly ArchiveEntry[]): void {
  if (!Array.isArray(entries)) throw invalidEntry('entries', entries, 'The entries must be a list');
  for (const [index, entry] of entries.entries()) {
    const place = `entries[${index}]`;
    if (typeof entry !== 'object' || entry === null)
      throw invalidEntry(place, entry, 'An entry must be an object');
    for (const [key, check] of Object.entries(entryChecks)) {
      const value = (entry as Record<string, unknown>)[key];
      const wanted = check(value);
      if (wanted !== undefined) throw invalidEntry(`${place}.${key}`, value, `An entry has here ${wanted}`);
    }
    const { conversation } = entry;
    if (conversation !== entries[0]?.conversation)
      throw invalidEntry(
        `${place}.conversation`,
        conversation,
        'All entries of a put are of one conversation',
      );
  }
}

/**
 * @param required texts that must not be empty, by their names
 * @param amounts names of further options that are numbers above 0
 * @throws ConfigError `config-invalid`
 */
export function checkOptions(
  options: unknown,
  required: Readonly<Record<string, unknown>> = {},
  amounts: readonly string[] = [],
): void {
  for (const [place, value] of Object.entries(required)) refuse(isName(value), place, value);
  const others = Object.fromEntries(amounts.map((name) => [name, optional(isPositive)]));
  check(options, { ...optionChecks, ...others }, 'options');
}

/** @throws ConfigError `config-invalid` */
export function checkSearch(query: unknown, options: unknown): void {
  refuse(isText(query), 'query', query);
  check(options, searchChecks, 'search');
}

/** @throws ConfigError `config-invalid` */
export function checkGet(options: unknown): void {
  check(options, getChecks, 'get');
}

/** @throws ConfigError `config-invalid` */
export function checkConversation(conversation: unknown): void {
  refuse(isName(conversation), 'conversation', conversation);
}

function refuse(wanted: string | undefined, place: string, value: unknown): void {
  if (wanted !== undefined) throw new ConfigError(fault(place, value, `This must be ${wanted}`));
}

function check(options: unknown, checks: Readonly<Record<string, Check>>, place: string): void {
  if (typeof options !== 'object' || options === null)
    throw new ConfigError(fault(place, options, 'The options must be an object'));
  const problems: ErrorFields[] = [];
  for (const key of new Set([...Object.keys(checks), ...Object.keys(options)])) {
    const value = (options as Record<string, unknown>)[key];
    const at = `${place}.${key}`;
    if (!Object.hasOwn(checks, key))
      problems.push(fault(at, value, 'Unknown option', nearest(key, Object.keys(checks))));
    const wanted = checks[key]?.(value);
    if (wanted !== undefined) problems.push(fault(at, value, `This option must be ${wanted}`));
  }
  if (problems.length > 0) throw new ConfigError(problems[0] as ErrorFields, problems.slice(1));
}

function fault(place: string, value: unknown, problem: string, guess?: string): ErrorFields {
  const remedy =
    guess === undefined ? 'Correct it, or leave it out if it is optional.' : `Did you mean "${guess}"?`;
  return { code: 'config-invalid', place, value, problem, remedy };
}
