// Shares are 0–1. "Without" gives the change of usable-ctx, in points, if the target is an eighth and the constant has no effect.

/** The options where nothing is set; see `optionsSchema`. */
export const defaultOptions = {
  recent: 0.3,
  users: 0.5,
  actions: {},
} as const;

/** Tokens: of fewer an excerpt would save nothing. A limit. */
export const smallestSegment = 60;
/** Tokens that a provider adds to a message at most: an excerpt must be shorter by more than these. A limit. */
export const mergedOverhead = 5;
/** The share of the window that the user's instructions may take whatever the target. A limit. */
export const instructionsFloor = 0.03;
/** The share of the window that all of the user's words may take, if the excerpt has so much room. A limit. */
export const usersFloor = 0.25;
/** … and of the excerpt: with all of it, nothing would be left of what was done. A limit. */
export const mostUsers = 0.75;
/** The share of the window that the lines on what was done may take. A limit. */
export const trailShare = 0.04;
/** If nothing is new since the last excerpt, a plan that misses the target must save this share of the view. */
export const leastSaved = 0.25;
/** An excerpt is written again with more lines if it becomes so many times as long: where it stands, the prompt cache ends. A limit. */
export const worthWritingAgain = 1.5;
/** The largest share of a cut group's tokens that one argument of a call may take. */
export const argumentShare = 0.25;
/** The share that all arguments together may take. If they are larger, each gets an equal part. Without: 0.0. */
export const argumentsShare = 0.5;
/** The share that words of users that do not fit may take: of the room of unread texts, where results need the rest, and of the target once work began. A limit. */
export const saidShare = 0.5;
/** Arguments that were cut before are cut again only to at most this share of their tokens, so that they don't lose a token each time. */
export const worthCuttingAgain = 0.8;
/** Tokens of a line that says how many lines are skipped. */
export const markTokens = 12;
/** A conversation without calls is talk if it has this number of messages. Its newest exchanges get this part of their share. */
export const fewestTurns = 8;
export const talkShare = 0.25;
