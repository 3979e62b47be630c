// Lengths are in UTF-16 units. Each limit keeps the time linear or a term meaningful.

/** A longer token is a blob without terms. */
export const longestToken = 256;
/** A token this long ends at its next joiner. */
export const longestCompound = 160;
/** The longest run of a script without spaces that is read at once. */
export const longestRun = 128;
/** A longer part of a compound is no term of its own. */
export const longestPart = 60;
/** A longer quote is no term. */
export const longestQuote = 60;
/** Words that a name has at most. */
export const longestName = 5;
/** The signs between two tokens that belong together take at most this. */
export const longestGap = 4;
/** Lists up to this number of terms are copied, so that they take no more memory than they need. */
export const longestCopy = 4096;
/** The factor by which a full array grows. */
export const growth = 1.5;
