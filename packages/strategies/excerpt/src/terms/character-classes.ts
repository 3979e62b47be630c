import * as char from '../characters.js';

/** Classes of UTF-16 units. Words consist of units with classes up to `wordClass`. 0 means not known yet. */
export const lower = 1;
export const upper = 2;
export const digit = 3;
/** `_` and `$`. */
export const wordClass = 4;
export const joiner = 5;
export const other = 6;
/** Letters of scripts without spaces between words. */
export const spaceless = 7;
/** Marks that end a sentence or a line. */
export const stop = 8;
export const quote = 9;
export const currency = 10;
export const percent = 11;
export const space = 12;

const classes = new Uint8Array(65536);
for (let code = 0; code <= char.lastAscii; code++) classes[code] = asciiClass(String.fromCharCode(code));

/** The class of a UTF-16 unit. */
export function classOf(code: number): number {
  return (classes[code] as number) || learnClass(code);
}

/** The class of the unit at an offset. The offset must be inside the text. */
export function classAt(text: string, at: number): number {
  return classOf(text.charCodeAt(at));
}

/**
 * The unit at an offset; -1 outside the text. V8 permanently slows down a call of charCodeAt that was once given an offset outside the
 * text.
 */
export function codeAt(text: string, at: number): number {
  return at >= 0 && at < text.length ? text.charCodeAt(at) : -1;
}

export function isWordAt(text: string, at: number, end: number): boolean {
  return at < end && classAt(text, at) <= wordClass;
}

/** Whether this is the first half of a surrogate pair that encodes an ideograph. */
export function isIdeographSurrogate(code: number): boolean {
  return code >= char.ideographSurrogatesStart && code <= char.ideographSurrogatesEnd;
}

export function isDigitAt(text: string, at: number, end: number): boolean {
  return at < end && classAt(text, at) === digit;
}

function asciiClass(char: string): number {
  if (/[a-z]/.test(char)) return lower;
  if (/[A-Z]/.test(char)) return upper;
  if (/[0-9]/.test(char)) return digit;
  if (/[_$]/.test(char)) return wordClass;
  if (/[-./@:,+~]/.test(char)) return joiner;
  if (/[\n!?;]/.test(char)) return stop;
  if (/["'`]/.test(char)) return quote;
  if (/[ \t\r]/.test(char)) return space;
  return char === '%' ? percent : other;
}

const spacelessScript =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー]/u;

function learnClass(code: number): number {
  const char = String.fromCharCode(code);
  let found = other;
  if (/[。！？…]/.test(char)) found = stop;
  else if (/[“”«»„‘]/.test(char)) found = quote;
  else if (/[\u2010-\u2027\u2190-\u2bff]/.test(char)) found = other;
  else if (isIdeographSurrogate(code) || spacelessScript.test(char)) found = spaceless;
  else if (/\p{Lu}/u.test(char)) found = upper;
  else if (/[\p{L}\p{M}\p{Nd}]/u.test(char)) found = lower;
  else if (/\p{Sc}/u.test(char)) found = currency;
  else if (/\s/.test(char)) found = space;
  classes[code] = found;
  return found;
}
