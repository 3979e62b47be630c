/** What a token means for the tokens around it. */
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
/** Its term is a name unless it begins a sentence. */
export const isName = 2048;
/** Its term counts only as a name, because the word is too short to be a term otherwise. */
export const isNameOnly = 4096;

/** The meaning of a token, wherever it stands. */
export interface TokenMeaning {
  /** Ids of its terms. */
  readonly ids: readonly number[];
  readonly flags: number;
  /** Normal form of a number, unit, month or currency. */
  readonly value: string;
}

export const noMeaning: TokenMeaning = { ids: [], flags: 0, value: '' };
