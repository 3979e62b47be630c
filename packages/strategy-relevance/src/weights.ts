import type { TermKind } from './terms/index.js';

// Shares are 0–1, weights are factors on worth, lengths are in UTF-16 units. What a constant is worth is measured by
// `examples/benchmarks/ablation.ts`. "Without" gives the change of usable-ctx in points when the target is an eighth.

/** The share that the newest user message may take of what the system prompt leaves, if it may be shortened at all. Without: −9.0. */
export const taskShare = 0.5;
/** Without news since the last excerpt, a plan that misses the target must save this share of the view. */
export const leastSaved = 0.25;

/** A failure that nothing later has made good. Without: 0.0. */
export const openFailureWeight = 1.5;
/** What the user says, if not all of it can stay word for word. Without: 0.0. */
export const userWeight = 1.5;

/**
 * What a term of a kind is worth. An id is needed word for word, a word of the language seldom; in a chat, which has nothing but
 * words, only their worth against each other counts. With 1 for names: −1.8, for dates −1.5, for amounts +0.1, for quotes +0.8.
 */
export const kindWorth: Readonly<Record<TermKind, number>> = {
  id: 2,
  path: 1,
  identifier: 1,
  url: 1,
  email: 1,
  error: 1,
  number: 0.6,
  amount: 0.4,
  date: 0.1,
  quantity: 0.3,
  quoted: 0.2,
  name: 0.1,
  word: 0.03,
};
/** What a term gains if the agent used it, and if the user did: it is multiplied by 1 and these. Without the agent's: −4.3, the user's: +0.2. */
export const agentBonus = 2;
export const userBonus = 1;
/**
 * A term that was last seen longer ago is worth less: `1 / (1 + ageing × log2(1 + messages / freshMessages))`. With 10 messages in
 * between that is four fifths, with 150 half, with 1,000 three eighths. Without: −0.7.
 */
export const freshMessages = 10;
export const ageing = 0.25;
/** The name of a member that results of one form repeat. Without: −0.4. */
export const schemaWorth = 0.05;
/** A member has such a name if at least this number of units have it. */
export const schemaFrom = 3;
/** A word of this length is worth its kind; longer words more, up to `mostRarity`: they are seldom everyday words in any language. */
export const usualWordLength = 6;
export const mostRarity = 1.6;
/** What is left of a term's worth each time that something chosen holds it. With 0: −0.1, and −4.7 for atoms seen long ago. */
export const decay = 0.05;

/** A message of the user with this score or more is an instruction. With 0: 0.0. */
export const instructionScore = 70;
/** If the user says more than this share of everything, people talk: what is said counts, not who says it. Without: 0.0. */
export const chatShare = 0.35;

/** The share of what an exchange is cut to that an argument of one of its calls may take. */
export const argumentShare = 0.25;
/** The share that all arguments together may take; if they are larger, each gets the same. Without: 0.0. */
export const argumentsShare = 0.5;
/** What was cut before is cut again only to at most this share of its tokens: otherwise it would lose a token each time. */
export const worthCuttingAgain = 0.8;

/** Tokens of a character in a view without text. */
export const usualTokensPerCharacter = 0.25;
/** Tokens that each line costs: its break, and the reader's attention. Without: −1.3, as the shortest lines always win. */
export const lineTokens = 4;
/** Tokens of a heading's mark and its break. Without: −0.6. */
export const headingTokens = 3;
/** Tokens of a line that says how much is left out. */
export const markTokens = 12;
/** Tokens of a message of the user in the excerpt, in addition to its text. Without: −0.9. */
export const messageTokens = 4;
/** More is chosen than fits by the estimates, which may be too high. */
export const spare = 1.5;
/** How often an excerpt is rendered at most to fill its room, and the shares of the room at which that ends and that it aims at. */
export const renderings = 5;
export const fullEnough = 0.98;
export const aimedAt = 0.995;

/** At most this many re-evaluations per unit on average; after that the current order is good enough. */
export const mostRefreshes = 8;
/** Accepts a candidate this close to the best: separating near-ties takes most of the time. */
export const nearlyBest = 0.95;
/** A longer chain of units that stand under each other is cut. */
export const deepestUnder = 8;

/** How much of its line a part of it keeps on either side, so that a reader sees what it belongs to. */
export const surroundings = 24;
/** Units of a line with at most this between them stay together. */
export const longestJoint = 4;
/** A longer title of a call is cut. */
export const longestTitle = 120;
/** A longer argument is no part of a title. */
export const longestTitleArgument = 32;
/** Arguments that are nested deeper are left out. */
export const deepestArgument = 20;
/** How much a note in the record shows of a line, and how many of its terms. */
export const longestNote = 80;
export const mostNotedTerms = 3;
