/** Flags that say what a token means to its neighbours. */
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
/** Its term is a name, unless the token begins a sentence. */
export const isName = 2048;
/** Its term counts only as a name, because the word is too short to be an ordinary term. */
export const isNameOnly = 4096;

/** The meaning of a token by itself. */
export interface TokenMeaning {
  /** Ids of its terms. */
  readonly ids: readonly number[];
  readonly flags: number;
  /** The normal form of a number, unit, month or currency. */
  readonly value: string;
}

export const noMeaning: TokenMeaning = { ids: [], flags: 0, value: '' };
