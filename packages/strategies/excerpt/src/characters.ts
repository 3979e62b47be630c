// Names for UTF-16 codes, for loops in which single-character strings would be too slow.

export const tab = 9;
export const lineFeed = 10;
export const carriageReturn = 13;
export const space = 32;
export const doubleQuote = 34;
export const singleQuote = 39;
export const plus = 43;
export const comma = 44;
export const minus = 45;
export const dot = 46;
const zero = 48;
export const nine = 57;
export const colon = 58;
export const semicolon = 59;
export const greaterThan = 62;
const capitalA = 65;
export const capitalE = 69;
const capitalZ = 90;
export const openBracket = 91;
export const backslash = 92;
export const closeBracket = 93;
const underscore = 95;
export const backtick = 96;
const smallA = 97;
export const smallE = 101;
const smallZ = 122;
export const openBrace = 123;
export const closeBrace = 125;
export const tilde = 126;
export const lastAscii = 127;
export const noBreakSpace = 0xa0;
export const cjkStart = 0x2e80;
export const surrogatesStart = 0xd800;

export function isDigit(code: number): boolean {
  return code >= zero && code <= nine;
}

function isSmallLetter(code: number): boolean {
  return code >= smallA && code <= smallZ;
}

function isCapital(code: number): boolean {
  return code >= capitalA && code <= capitalZ;
}

/** A letter, a digit, an underscore or a hyphen, of ASCII. */
export function isWord(code: number): boolean {
  return kindOf(code) >= inWord;
}

/** Kinds of characters, from a table, because comparisons would take most of the time. A digit is in a word too. */
export const blank = 1;
export const inWord = 2;
export const inNumber = 3;
const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code <= space) return blank;
  if (isDigit(code)) return inNumber;
  if (isSmallLetter(code) || isCapital(code) || code === minus || code === underscore) return inWord;
  return 0;
});

/** The kind of a character; 0 if it has none of them. */
export function kindOf(code: number): number {
  return code <= lastAscii ? (kinds[code] as number) : 0;
}

/** The second half of a surrogate pair. */
export function isLowSurrogate(code: number): boolean {
  return (code & 0xfc00) === 0xdc00;
}

/** The first half of a surrogate pair. */
export function isHighSurrogate(code: number): boolean {
  return (code & 0xfc00) === 0xd800;
}
