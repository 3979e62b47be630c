// Weights are factors on a piece's worth: 1 is ordinary. Lengths are in UTF-16 units.

export const bracketsWeight = 0.2;
export const separatorWeight = 0.05;
export const progressWeight = 0.1;
export const passedWeight = 0.3;
export const summaryWeight = 2;
export const failedSummaryWeight = 2.5;
export const failureWeight = 2;
/** Details of a failure, the first line of a trace, and a member of JSON that reports a failure. */
export const detailWeight = 1.5;
/** Base64, hexadecimal digits, minified data without words. */
export const blobWeight = 0.03;
export const ownFrameWeight = 1.2;
export const foreignFrameWeight = 0.15;
export const hunkHeaderWeight = 0.8;
export const changedLineWeight = 1.2;
export const contextLineWeight = 0.5;
/** The line of dashes under a table's header. */
export const tableRuleWeight = 0.05;

/** The longest line that is one piece. */
export const longestLine = 400;
/** The longest part of a longer line. */
export const longestWindow = 200;
/** A shorter sentence shares a piece with the next one. */
export const shortestSentence = 60;
/** A shorter window is no blob. */
export const shortestBlob = 80;
/** A word that is longer than this makes its window a blob: a line of base64 has 76 characters. */
export const longestBlobWord = 76;
/** How much of a long line tells whether it is prose. */
export const proseSample = 2000;

/** The longest object, array or run of scalar members that is one piece, without its indentation. */
export const longestGroup = 220;
/** The same with its indentation. */
export const longestIndentedGroup = 440;
/** An object or array up to this length stands in a run with scalars. */
export const tinyGroup = 40;
/** A longer scalar is divided. */
export const longestScalar = 400;
/** JSON that is nested deeper is read as text. */
export const deepestJson = 400;
/** Shorter JSON may not have other text after it on its last line. */
export const shortJson = 200;
/** Broken JSON is read as JSON up to that place if it has at least this number of scalars. */
export const fewestScalars = 4;
/** How far from its start a long line is searched for JSON. */
export const longestJsonPrefix = 200;

/** A longer header of a file in a diff is divided. */
export const longestDiffHeader = 600;
/** Lines that the header of a file in a diff has at most. */
export const mostDiffHeaderLines = 12;
/** A longer frame is divided. */
export const longestFrame = 400;
/** Lines that a frame of Python has at most. */
export const mostPythonLines = 4;
/** How many pieces above its first frame the first line of a trace may stand. */
export const mostTraceHeadPieces = 12;
/** A rule of a table is looked at as a whole: a rule that is cut would end like no rule. */
export const longestTableRule = 20_000;
/** How much of a line tells whether it is a row of a table. */
export const longestRow = 2000;
/** A longer line with counts of tests is prose. */
export const longestSummary = 160;
/** How much of a line tells its worth. */
export const longestTellingLine = 300;

/** Pieces of one text. */
export const mostPieces = 20_000;
/** If there are more, neighbours are joined, at first up to this length. */
export const shortestJoined = 100;
