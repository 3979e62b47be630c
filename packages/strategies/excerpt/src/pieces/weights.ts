// Lengths are in UTF-16 units.

/** A line longer than this is divided. */
export const longestLine = 400;
/** A part of a divided line is at most this long. */
export const longestWindow = 200;
/** A sentence shorter than this shares a piece with the next one. */
export const shortestSentence = 60;
/** This much of a long line decides whether it is prose. */
export const proseSample = 2000;

/** An object, array or run of scalar members up to this length is one piece. Indentation does not count. */
export const longestGroup = 220;
/** The same limit if indentation counts. */
export const longestIndentedGroup = 440;
/** An object or array up to this length may be part of a run of scalars. */
export const tinyGroup = 40;
/** A scalar longer than this is divided. */
export const longestScalar = 400;
/** JSON nested deeper than this is read as text. */
export const deepestJson = 400;
/** JSON shorter than this counts as JSON only if no other text follows it on its last line. */
export const shortJson = 200;
/** Broken JSON is read as JSON up to the error if it has at least this number of scalars before it. */
export const fewestScalars = 4;
/** JSON on a long line must begin within this distance of the line's start. */
export const longestJsonPrefix = 200;

/** The most pieces of one text. */
export const mostPieces = 20_000;
/** Pieces are first joined up to this length, then further if there are still too many. */
export const shortestJoined = 100;
