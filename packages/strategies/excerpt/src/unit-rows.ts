/** Columns of a unit's row: as many as a line of the processor's cache holds, because units are measured in no order. */
export const rowWidth = 8;
/** A factor on the worth of the unit, and the part of it that says how many units have the same form, 0–1. */
export const weightColumn = 0;
export const formWeightColumn = 1;
/** The share of its worth that counts only if its neighbours are kept too. */
export const passageShareColumn = 2;
/** Estimated tokens, and those that it shares with the next unit. */
export const tokensColumn = 3;
export const sharedColumn = 4;
/** The position of its source. */
export const sourceColumn = 5;
/** Extra tokens of each passage of its source. */
export const gapColumn = 6;
