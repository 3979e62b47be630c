import type { Archive } from '@ctx/core';
import { type ArchivedMessage, type ArchiveEntry, ConfigError, type ErrorFields } from '@ctx/core';
import { nearest } from '@ctx/core/kit';
import { invalidEntry } from './archive-errors.js';
import type { ArchiveOptions } from './archive-options.js';

type ArchiveKind = ArchiveEntry['kind'];

const known: Readonly<Record<ArchiveKind, true>> = {
  user: true,
  assistant: true,
  call: true,
  result: true,
  summary: true,
  system: true,
};

/** Every kind of text that an archive keeps. */
const entryKinds = Object.keys(known) as readonly ArchiveKind[];

type Check = (value: unknown) => string | undefined;

const isText: Check = (value) => (typeof value === 'string' ? undefined : 'a text');
const isName: Check = (value) =>
  typeof value === 'string' && value !== '' ? undefined : 'a text that is not empty';
const isCount: Check = (value) =>
  Number.isSafeInteger(value) && Number(value) >= 0 ? undefined : 'a whole number from 0';
const isNumber: Check = (value) =>
  Number.isSafeInteger(value) && Number(value) >= 1 ? undefined : 'a whole number from 1';
const isTime: Check = (value) => (Number.isFinite(value) ? undefined : 'a time in ms since epoch');
const isPositive: Check = (value) =>
  typeof value === 'number' && value > 0 ? undefined : 'a number above 0';
const isFunction: Check = (value) => (typeof value === 'function' ? undefined : 'a function');
const isKind: Check = (value) =>
  (entryKinds as readonly unknown[]).includes(value) ? undefined : `one of ${entryKinds.join(', ')}`;
const areKinds: Check = (value) =>
  Array.isArray(value) ? value.map(isKind).find((one) => one !== undefined) : isKind(value);
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined ? undefined : check(value);

const entryChecks: Readonly<Record<keyof ArchiveEntry, Check>> = {
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
const optionChecks: Readonly<Record<keyof ArchiveOptions, Check>> = {
  tokensOf: optional(isFunction),
  redact: optional(isFunction),
  timeToLive: optional(isPositive),
  maxCharacters: optional(isPositive),
  now: optional(isFunction),
};
const searchChecks: Readonly<Record<keyof Parameters<Archive['search']>[1], Check>> = {
  conversation: isName,
  maxTokens: optional(isPositive),
  kind: optional(areKinds),
  path: optional(isText),
  since: optional(isTime),
  within: optional(isText),
  shown: optional((value) => (Array.isArray(value) ? undefined : 'a list of messages')),
};
const getChecks: Readonly<Record<keyof Parameters<Archive['get']>[1], Check>> = {
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
    if (one.original !== undefined && one.original?.index !== one.number - 1)
      throw invalidEntry(
        `messages[${index}].original`,
        one.original,
        'An original must be at the place its number gives',
      );
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
    if (entry.conversation !== entries[0]?.conversation)
      throw invalidEntry(
        `${place}.conversation`,
        entry.conversation,
        'Entries that are put together are of one conversation',
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
  for (const [place, value] of Object.entries(required)) {
    const wanted = isName(value);
    if (wanted !== undefined) throw new ConfigError(fault(place, value, `This must be ${wanted}`));
  }
  check(
    options,
    { ...optionChecks, ...Object.fromEntries(amounts.map((name) => [name, optional(isPositive)])) },
    'options',
  );
}

/** @throws ConfigError `config-invalid` */
export function checkSearch(query: unknown, options: unknown): void {
  if (typeof query !== 'string') throw new ConfigError(fault('query', query, 'The query must be a text'));
  check(options, searchChecks, 'search');
}

/** @throws ConfigError `config-invalid` */
export function checkGet(options: unknown): void {
  check(options, getChecks, 'get');
}

/** @throws ConfigError `config-invalid` */
export function checkConversation(conversation: unknown): void {
  if (isName(conversation) !== undefined)
    throw new ConfigError(
      fault('conversation', conversation, 'The name of a conversation must be a non-empty string'),
    );
}

/** @throws ConfigError `config-invalid` */
export function checkRange(first: unknown, last: unknown): void {
  for (const [place, value] of Object.entries({ first, last })) {
    const wanted = isNumber(value);
    if (wanted !== undefined) throw new ConfigError(fault(place, value, `A message is named by ${wanted}`));
  }
}

function check(options: unknown, checks: Readonly<Record<string, Check>>, place: string): void {
  if (typeof options !== 'object' || options === null)
    throw new ConfigError(fault(place, options, 'The options must be an object'));
  const known = Object.keys(checks);
  const problems: ErrorFields[] = [];
  for (const key of new Set([...Object.keys(checks), ...Object.keys(options)])) {
    const value = (options as Record<string, unknown>)[key];
    const at = `${place}.${key}`;
    if (!known.includes(key)) problems.push(fault(at, value, 'Unknown option', nearest(key, known)));
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
