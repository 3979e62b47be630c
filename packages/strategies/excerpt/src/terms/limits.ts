// Lengths are in UTF-16 units. Each limit keeps the time linear or the terms meaningful.

/** A token longer than this is a blob, which has no terms. */
export const longestToken = 256;
/** A token that has reached this length ends at its next joiner. */
export const longestCompound = 160;
/** The most text of a script without spaces that is read at once. */
export const longestRun = 128;
/** A part of a compound that is longer than this is not a separate term. */
export const longestPart = 60;
/** A quote longer than this is not a term. */
export const longestQuote = 60;
/** The most words in a name. */
export const longestName = 5;
/** The longest gap between two tokens that belong together. */
export const longestGap = 4;
/** Lists of up to this number of terms are copied, so that they take no more memory than they need. */
export const longestCopy = 4096;
