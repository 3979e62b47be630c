// Shares are 0–1, weights are factors on worth, lengths are in UTF-16 units. `examples/benchmarks/ablation.ts` measures what each
// constant is worth. "Without" gives the change of usable-ctx, in points, if the target is an eighth and the constant has no effect.

/** For what the agent called up and has not named since. Without, at a quarter: −2.0 of the passages. */
export const untouchedWeight = 2;

/** For what the agent said and wrote itself. */
export const agentWeight = 1.5;
/** For the first line of a function, a class, a type or a part of a document. */
export const definitionWeight = 1.5;

/** The worth of a word, a name, a quote, a quantity or a date, where that of an id, a path or an identifier is 1. Without: −5.3 of 25 sessions. */
export const plainWorth = 0.05;
/**
 * A term's worth is multiplied by 1, plus the first if the agent used it, plus the second if the user did. Without the first: −4.3. Without
 * the second agents' sessions lose nothing, but the line of a log that the user asks about is not kept; with 2: −1.8 ± 1.0.
 */
export const agentBonus = 2;
export const userBonus = 1;
/**
 * A term is worth less the longer ago it was last seen: `1 / (1 + ageing × log2(1 + messages / freshMessages))`. That is four fifths
 * after 10 messages, half after 150 and three eighths after 1,000. Without: −2.9 of the exam's evidence at 8,000.
 */
export const freshMessages = 10;
export const ageing = 0.25;
/** The share of a term's worth that remains each time it is kept again. With 0: −0.1, and −4.7 for atoms last seen long ago. */
export const decay = 0.05;

/** The same in talk, where turns share headings. */
export const talkGapTokens = 2;
/** The share of a term's worth that counts only if the units next to its unit are kept too. */
export const passageShare = 0.6;
/**
 * Where less than this share of the conversation stays, single lines count more and more against passages. Without: −2.3 at a thirtieth,
 * beside agents' own summaries.
 */
export const fewestForPassages = 1 / 8;

/** The share of an excerpt that the names may take that files define. Without: −.5 of the exam’s evidence at 16,000 and at 8,000. */
export const outlineShare = 0.04;

/**
 * The share of an excerpt that what the agent said may take word for word, and what texts may take that say what to do or what was found: as a
 * whole, and of what is left, passages of those that did not fit. The exam is the same from .25 to .6.
 */
export const claimShare = 0.4;
/** … unless it is more than this share of all that the excerpt is made from, as where the agent mostly talks to the user. */
export const talkativeShare = 0.1;
/** … and of what is left of it: something of the results always stays. Without this and the one before: −4.3. */
export const mostOfLeft = 0.6;
/**
 * The share of what the window leaves beside what was done that files of rules and the user's words may take as a whole. The rest is for headings and
 * marks. A limit.
 */
export const broughtShare = 0.95;
/** … and that single rules may take: with all of it, the next call would have no room. A limit. */
export const rulesShare = 0.75;
/** UTF-16 units of a text of the user's that is no turn of a chat, such as a file of rules or a pasted log. A limit. */
export const longText = 2_000;
/** UTF-16 units of a text that may say nothing but what the agent is about to do. A limit. */
export const longestAnnouncement = 240;
/** UTF-16 units of a line that is known again, and the share of a text's lines that must be shown already so that it is not shown again. Limits. */
export const shortestKnown = 24;
export const mostlySeen = 0.7;
/** UTF-16 units of the shortest of them, and the share of it that is prose, and of that what ends as a sentence or is in a list. */
export const shortestBrief = 300;
export const leastProse = 0.6;
/** What a token of the user's words, of such texts and of what the agent wrote is worth where they are not shown as a whole, as a multiple of what just fits. */
export const userWorth = 4;
export const briefWorth = 3;
export const writtenWorth = 0.3;
/** … up to this many tokens that leave for each that stays. A limit. */
export const mostScarcity = 16;
/** A factor on what was read or written before the newest state of its file. */
export const staleWeight = 0.2;
/** Lines that are alike from which on they are bulk, the length of a beginning that they share, and how much of a line is compared. */
export const bulkRun = 6;
export const bulkStart = 10;
export const longestShape = 200;
/** A factor on the worth of such lines, apart from the first ones and the last one. */
export const bulkWeight = 0.05;

/**
 * Texts that differ in nothing but numbers and ids have their whole worth up to this number; more of them share it. Without: see
 * `docs/results.md` on planted facts.
 */
export const usualForm = 4;

/** A user message with at least this score is an instruction. With 0: 0.0, but then thanks and nods take room that the target does not leave. */
export const instructionScore = 70;
/** If the user wrote more than this share of the older tokens, it is a chat, and user messages are not special. Without, a giant one stays whole. */
export const chatShare = 0.35;

/** Tokens per character, assumed if the view has no text. */
export const usualTokensPerCharacter = 0.25;
/** Extra tokens that each line costs: its line break, and the reader's attention. Without: −1.3, because the shortest lines win. */
export const lineTokens = 1;
/** Extra tokens that each passage costs: the mark of the gap before it, and the reader's attention. */
export const gapTokens = 8;
/** Tokens of a heading's marks and line breaks. Without: −0.9. */
export const headingTokens = 4;
/** Choose this multiple of what fits by the estimates, because they may be too high. */
export const spare = 1.5;
/** An excerpt is rendered at most this often to fill its room. It stops at the first share of the room and aims at the second. */
export const renderings = 5;
export const fullEnough = 0.98;
export const aimedAt = 0.995;
/** At most this many of the choices that come after are tried for the room that is left. Without: −1.4, because where the first does not fit, a small excerpt is empty. */
export const mostFillers = 24;

/** At most this many re-evaluations per unit on average; after that the current order is good enough. */
export const mostRefreshes = 8;
/** Accepts a candidate this close to the best: separating near-ties takes most of the time. */
export const nearlyBest = 0.95;

/** What somebody said or wrote is not divided up to this length. */
export const longestWhole = 300;
/** UTF-16 units of a definition with its body up to which the two are one piece. A limit. */
export const longestBody = 600;
/** The share of all absolute paths in headings that must be below a folder so that they are written from it on. */
export const leastBelow = 0.5;
/** A call's title is cut at this length. */
export const longestTitle = 120;
/** … and a command or a path of one line at this. */
export const longestCommand = 240;
/** An argument longer than this is not part of a title. */
export const longestTitleArgument = 32;
/** Arguments nested deeper than this are skipped. */
export const deepestArgument = 20;

/** People talk if at least this number of messages follow each other without calls, and at most this share of their terms names things in files. */
export const fewestTurns = 8;
export const mostTechnical = 0.15;
/** What somebody says in a stretch of talk is not divided up to this length. */
export const longestTurn = 3_000;
/** How much the length of a turn counts, and how rare its words are, per standard deviation. Without either: −14 of the answers’ words at a quarter of six meetings. */
export const talkWeight = 1 / 3;
/** A word that a larger share of the turns has tells nothing. Without: −3 of the answers' words at a quarter of six meetings. */
export const mostTurns = 0.1;
/** A telling word accounts for at most this many tokens of its turn. Without it, “Mm-hmm.” is kept because it is short. */
export const tokensTold = 4;
