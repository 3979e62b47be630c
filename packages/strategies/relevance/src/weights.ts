// Shares are 0–1. "Without" gives the change of usable-ctx, in points, if the target is an eighth and the constant has no effect.

/** The options where nothing is set; see `optionsSchema`. */
export const defaultOptions = {
  recent: 0.3,
  users: 0.5,
  actions: {},
} as const;

/** Tokens: of fewer an excerpt would save nothing. A limit. */
export const smallestSegment = 60;
/** The share of the window that all of the user's words may take, if the excerpt has so much room, and of a talk's share its newest exchanges. A limit. */
export const usersFloor = 0.25;
/** A plan that brings nothing new and misses the target must save this share of the view, and a second cut of arguments this share of them. */
export const leastSaved = 0.25;
/** The share of a text's room that its beginning takes, its end, the lines that report failures, and what the user asked about, each. A limit. */
export const partShare = 0.2;
