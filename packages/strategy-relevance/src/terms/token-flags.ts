/** What a token is to those around it. */
export const isNumber = 1;
export const isUnit = 2;
export const isMonth = 4;
export const isMoney = 8;
export const isCode = 16;
export const isCapital = 32;
export const isErrorWord = 64;
export const isMixed = 128;
export const isPlainWord = 256;
export const isDay = 512;
export const isStop = 1024;
/** Its term is a name where it begins no sentence. */
export const isName = 2048;
/** Its term counts only as a name, since the word is too short for another. */
export const isNameOnly = 4096;

/** What is known of a token wherever it stands. */
export interface TokenMeaning {
  /** The terms that it is. */
  readonly ids: readonly number[];
  readonly flags: number;
  /** Normal form for those around it: of a number, unit, month or currency. */
  readonly value: string;
}

export const noMeaning: TokenMeaning = { ids: [], flags: 0, value: '' };
