// Lengths are in UTF-16 units.

/** A line, or a scalar of JSON, longer than this is divided. A limit. */
export const longestLine = 400;
/** A part of a divided line is at most this long. JSON begins so near to the start of a long line, and shorter JSON counts only if no other text follows it on its last line. A limit. */
export const longestWindow = 200;
/** A sentence shorter than this shares a piece with the next one. A limit. */
export const shortestSentence = 60;

/** An object, array or run of scalar members up to this length is one piece. Indentation does not count, up to as much again. A limit. */
export const longestGroup = 220;
/** An object or array up to this length may be part of a run of scalars. A limit. */
export const tinyGroup = 40;
/** JSON nested deeper than this is read as text. A limit. */
export const deepestJson = 400;
/** Broken JSON is read as JSON up to the error if it has at least this number of scalars before it. A limit. */
export const fewestScalars = 4;

/** The most pieces of one text. A limit. */
export const mostPieces = 20_000;
