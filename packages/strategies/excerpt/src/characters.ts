// Names for UTF-16 codes, for loops in which single-character strings would be too slow.

export const tab = 9;
export const lineFeed = 10;
export const carriageReturn = 13;
export const space = 32;
export const doubleQuote = 34;
export const singleQuote = 39;
export const comma = 44;
export const minus = 45;
export const colon = 58;
export const openBracket = 91;
export const backslash = 92;
export const closeBracket = 93;
export const openBrace = 123;
export const closeBrace = 125;

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** The second half of a surrogate pair. */
export function isLowSurrogate(code: number): boolean {
  return (code & 0xfc00) === 0xdc00;
}
