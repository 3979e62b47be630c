// Shares are 0–1. "Without" gives the change of usable-ctx, in points, if the target is an eighth and the constant has no effect.

/** Of the target, minus the other messages that must stay, the newest user message may take this share if it may be cut. Without: −9.0. */
export const taskShare = 0.5;
/** If nothing is new since the last excerpt, a plan that misses the target must save this share of the view. */
export const leastSaved = 0.25;
/** The largest share of a cut group's tokens that one argument of a call may take. */
export const argumentShare = 0.25;
/** The share that all arguments together may take. If they are larger, each gets an equal part. Without: 0.0. */
export const argumentsShare = 0.5;
/** Arguments that were cut before are cut again only to at most this share of their tokens, so that they don't lose a token each time. */
export const worthCuttingAgain = 0.8;
/** Tokens of a line that says how many lines are left out. */
export const markTokens = 12;
/** A text of at most this many tokens is not cut, as its mark would save little: an error, or what the agent says before its calls. */
export const shortTokens = 4 * markTokens;
/** Where all short texts of a cut group take more than this share of its room, they are cut too. */
export const shortShare = 0.25;
/** A conversation without calls is talk if it has this number of messages. Its newest exchanges get this part of their share. */
export const fewestTurns = 8;
export const talkShare = 0.25;
