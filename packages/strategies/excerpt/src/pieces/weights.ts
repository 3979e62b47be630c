// Weights are factors on a piece's worth; 1 is ordinary. Lengths are in UTF-16 units.

export const bracketsWeight = 0.2;
export const separatorWeight = 0.05;
export const progressWeight = 0.1;
export const passedWeight = 0.3;
export const summaryWeight = 2;
export const failedSummaryWeight = 2.5;
export const failureWeight = 2;
/** For details of a failure, and a JSON member that reports one. */
export const detailWeight = 1.5;
/** For base64, hexadecimal digits and minified data without words. */
export const blobWeight = 0.03;

/** A line longer than this is divided. */
export const longestLine = 400;
/** A part of a divided line is at most this long. */
export const longestWindow = 200;
/** A sentence shorter than this shares a piece with the next one. */
export const shortestSentence = 60;
/** A window shorter than this is not a blob. */
export const shortestBlob = 80;
/** A window with a longer word is a blob. A line of base64 has 76 characters. */
export const longestBlobWord = 76;
/** For coordinates, dumps and the like. A line is one if it has this length, this number of tokens, and of its characters fewer in words and more digits than these shares. */
export const figuresWeight = 0.1;
export const shortestFigures = 40;
export const fewestFigures = 8;
export const mostInWords = 0.25;
export const fewestDigits = 0.4;
/** A run of letters of this length is a word. */
export const shortestWord = 3;
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

/** A line longer than this is not a summary of tests, even if it has counts. */
export const longestSummary = 160;
/** This much of a line decides its weight. */
export const longestTellingLine = 300;

/** The most pieces of one text. */
export const mostPieces = 20_000;
/** Pieces are first joined up to this length, then further if there are still too many. */
export const shortestJoined = 100;
