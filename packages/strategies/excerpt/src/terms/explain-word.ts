import * as char from '../characters.js';
import { classAt, upper } from './character-classes.js';
import { meaningOf } from './lexicon.js';
import type { TermKind } from './term.js';
import type { TermTable } from './term-table.js';
import {
  isCapital,
  isDay,
  isMixed,
  isMoney,
  isMonth,
  isName,
  isNameOnly,
  isNumber,
  isPlainWord,
  isStop,
  isUnit,
  noMeaning,
  type TokenMeaning,
} from './token-flags.js';
import {
  hasDigit,
  hasHump,
  hasLower,
  hasUnderscore,
  hasUpper,
  isErrorName,
  isIdLike,
  numberOf,
  shapeOf,
  stemOf,
} from './word-shapes.js';

/** The meaning of a token that has only letters, digits and underscores. */
export function explainWord(token: string, terms: TermTable): TokenMeaning {
  let raw = token;
  let shape = shapeOf(raw);
  if (shape & hasUnderscore) {
    raw = raw.replace(/^[_$]+|(?<![_$])[_$]+$/g, '');
    shape = shapeOf(raw);
  }
  const hasLetter = (shape & (hasLower | hasUpper)) !== 0;
  if (!(shape & (hasDigit | hasUnderscore))) return hasLetter ? explainLetters(raw, shape, terms) : noMeaning;
  if (!hasLetter) {
    if (shape & hasUnderscore) return noMeaning;
    return { ids: raw.length >= 4 ? [terms.idOf(raw, 'number')] : [], flags: isNumber, value: raw };
  }
  if (shape & hasUnderscore) {
    const number = numberOf(raw);
    const isId = number !== undefined || (shape & hasDigit && raw.split(/[_$]+/).some(isIdLike));
    const { ids } = termOf(raw, isId ? 'id' : /^E(?:RR)?_/.test(raw) ? 'error' : 'identifier', 0, terms);
    return { ...noMeaning, ids: number === undefined ? ids : [...ids, terms.idOf(number, 'number')] };
  }
  return explainMixed(raw, terms);
}

/** The meaning of a number with a unit, such as 12ms, 3.5GB, 3rd or 20USD; undefined if the letters are not a unit. */
export function explainMeasure(amount: string, suffix: string, terms: TermTable): TokenMeaning | undefined {
  const unit = suffix.toLowerCase();
  const { flags = 0, value = '' } = meaningOf(unit) ?? {};
  if (flags & isMoney) return termOf(value + amount, 'amount', 0, terms);
  if (flags & isUnit) return termOf(amount + value, 'quantity', 0, terms);
  if (unit === 'am' || unit === 'pm') return termOf(amount + unit, 'date', 0, terms);
  return /^(?:st|nd|rd|th)$/.test(unit) ? { ids: [], flags: isNumber, value: amount } : undefined;
}

/** The meaning of a word of letters and digits. */
function explainMixed(raw: string, terms: TermTable): TokenMeaning {
  const [, amount = '', suffix = ''] = (raw.length < 16 && /^(\d+)(\p{L}{1,7})$/u.exec(raw)) || [];
  const measure = amount && explainMeasure(amount, suffix, terms);
  if (measure) return measure;
  if (raw.length < 3) return { ...noMeaning, flags: isMixed };
  const kind = /^(?:E|TS)\d{3,5}$/.test(raw) ? 'error' : isIdLike(raw) ? 'id' : 'identifier';
  return termOf(raw, kind, isMixed, terms);
}

function explainLetters(raw: string, shape: number, terms: TermTable): TokenMeaning {
  const key = raw.toLowerCase();
  const { flags = 0, value = '' } = meaningOf(key) ?? {};
  const isCapitalised = classAt(raw, 0) === upper;
  if (flags & isDay) return termOf(key, 'date', flags, terms, value);
  if (shape & hasUpper && isErrorName(raw)) return termOf(key, 'error', flags, terms, value);
  if (shape & hasHump) return termOf(key, 'identifier', flags, terms, value);
  if (flags & isStop) return { ids: [], flags: flags | (isCapitalised ? isCapital : 0), value };
  if (!(shape & hasLower) && raw.length < 4) {
    const isAcronym = raw.length > 1 && !(flags & isUnit);
    return isAcronym ? termOf(key, 'name', flags, terms, value) : { ids: [], flags, value };
  }
  const isLong = raw.length >= (raw.charCodeAt(0) < char.hebrewStart ? 4 : 2);
  const canName = isCapitalised && (shape & hasLower) !== 0 && raw.length > 1 && !(flags & isMonth);
  if (!isLong && !canName) return { ids: [], flags, value };
  const use = canName ? isCapital | isName | (isLong ? 0 : isNameOnly) : isPlainWord;
  return termOf(stemOf(key), 'word', flags | use, terms, value);
}

function termOf(raw: string, kind: TermKind, flags: number, terms: TermTable, value = ''): TokenMeaning {
  return { ids: [terms.idOf(raw.toLowerCase(), kind)], flags, value };
}
