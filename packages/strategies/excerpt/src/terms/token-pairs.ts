import type { TermKind } from './term.js';
import { isCode, isMoney, isMonth, isNumber, isUnit } from './token-flags.js';
import { isFailureCode } from './word-shapes.js';

/** The properties of a token that matter to its neighbour. */
export interface PairedToken {
  readonly flags: number;
  readonly value: string;
  readonly length: number;
}

export interface PairTerm {
  readonly key: string;
  readonly kind: TermKind;
}

/**
 * The term that a number and the word next to it form together: an amount, a quantity, a day or the code of a failure.
 * @param gap UTF-16 units between them
 * @param isJoined whether only spaces and signs are between them
 */
export function pairTerm(
  before: PairedToken,
  after: PairedToken,
  gap: number,
  isJoined: () => boolean,
): PairTerm | undefined {
  return before.flags & isNumber
    ? termAfterNumber(before, after, gap, isJoined)
    : termBeforeNumber(before, after, gap, isJoined);
}

function termAfterNumber(
  { value: number }: PairedToken,
  { flags, value, length }: PairedToken,
  gap: number,
  isJoined: () => boolean,
): PairTerm | undefined {
  if (flags & (isUnit | isMoney) && gap <= 1 && length > 1)
    return flags & isMoney
      ? { key: value + number, kind: 'amount' }
      : { key: number + value, kind: 'quantity' };
  return flags & isMonth && isJoined() ? dayTerm(value, number) : undefined;
}

function termBeforeNumber(
  { flags, value }: PairedToken,
  { flags: flagsAfter, value: number }: PairedToken,
  gap: number,
  isJoined: () => boolean,
): PairTerm | undefined {
  if (!(flagsAfter & isNumber)) return undefined;
  if (flags & isMonth && isJoined()) return dayTerm(value, number);
  if (flags & isMoney && gap === 1) return { key: value + number, kind: 'amount' };
  return flags & isCode && isFailureCode(number) && isJoined()
    ? { key: `${value} ${number}`, kind: 'error' }
    : undefined;
}

function dayTerm(month: string, day: string): PairTerm | undefined {
  if (!/^(?:0?[1-9]|[12]\d|3[01])$/.test(day)) return undefined;
  return { key: `${month}-${day.padStart(2, '0')}`, kind: 'date' };
}

/** The date at the start of a text such as 2024年5月3日 or 5月3日: with the year, if there is one, and without it. */
export function numberedDays(words: string): string[] {
  const [, year, month = '', day = ''] =
    /^(?:(\d{4})年)?(0?[1-9]|1[0-2])月(0?[1-9]|[12]\d|3[01])[日号]/.exec(words) ?? [];
  if (month === '') return [];
  const date = `${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return year === undefined ? [date] : [`${year}-${date}`, date];
}
