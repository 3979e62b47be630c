import { type Fields, isFields } from '@ctx/core/codec';
import type { Session, UsageReport } from './session.js';

export { type Fields, isFields };

/** The field as a string; undefined if it is not a string, or empty. */
export function nameIn(fields: Fields, key: string): string | undefined {
  const value = fields[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The field as a number; undefined if it is not one. */
export function numberIn(fields: Fields, key: string): number | undefined {
  const value = fields[key];
  return typeof value === 'number' ? value : undefined;
}

/** The size of a window, which is a whole number of tokens; undefined if it is not one. */
export function windowIn(fields: Fields, key: string): number | undefined {
  const value = numberIn(fields, key);
  return Number.isSafeInteger(value) && Number(value) > 0 ? value : undefined;
}

/** The items of a list that are objects; none if it is not a list. */
export function listIn(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : [];
}

/** The field of each that has it as a string. */
export function stringsIn(list: readonly Fields[], key: string): string[] {
  return list.map((fields) => fields[key]).filter((value) => typeof value === 'string');
}

type Known<T> = { [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key] } & {
  [Key in keyof T as undefined extends T[Key] ? Key : never]?: Exclude<T[Key], undefined>;
};

/** The fields that have a value: what is undefined is missing. */
export function known<T extends object>(fields: T): Known<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Known<T>;
}

/** Who answered, as far as a file names it. */
export type Names = Pick<Session, 'model' | 'provider'>;

/** Fields in which an agent notes tokens, with spaces between those that are added up. */
type UsageFields = readonly [
  /** Of the whole input, including what was read from and written to the prompt cache. */
  input: string,
  output: string,
  cacheRead: string,
  cacheWrite?: string,
];

/** What the provider reported for a response; undefined if there is no report. A count that is none is 0. */
export function usageIn(
  usage: unknown,
  [input, output, cacheRead, cacheWrite = '']: UsageFields,
  { model = 'unknown', provider = 'unknown' }: { readonly [Key in keyof Names]: Names[Key] | undefined },
  aborted = false,
): Omit<UsageReport, 'index'> | undefined {
  if (!isFields(usage)) return undefined;
  const tokensIn = (keys: string) =>
    keys.split(' ').reduce((sum, key) => sum + Math.max(0, numberIn(usage, key) ?? 0), 0);
  return {
    inputTokens: tokensIn(input),
    outputTokens: tokensIn(output),
    cacheReadTokens: tokensIn(cacheRead),
    cacheWriteTokens: tokensIn(cacheWrite),
    provider,
    model,
    aborted,
  };
}
