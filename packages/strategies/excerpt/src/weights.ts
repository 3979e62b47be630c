// Shares are 0–1, weights are factors on worth. "Without" gives the change of usable-ctx, in points, if the target is an eighth and the
// constant has no effect; `examples/benchmarks/ablation.ts` measures it.

/**
 * Sizes of texts in UTF-16 units. Up to one of them a text is shown, compared or joined as one; what is longer is cut or divided. Limits: where
 * each was up to two thirds or one and a half of it, usable-ctx was within ±0.4 and the exam's evidence within ±0.2.
 */
export const sizes = {
  name: 30,
  phrase: 60,
  title: 120,
  line: 240,
  paragraph: 480,
  page: 3_000,
  document: 20_000,
} as const;

/** The worth of a word where that of a name, an id or a number is 1. Without: −5.3 of 25 sessions. */
export const wordWorth = 0.05;
/**
 * A term's worth is multiplied by 1, plus the first if the agent used it, plus the second if the user did. Without the first: −4.3. Without
 * the second agents' sessions lose nothing, but the line of a log that the user asks about is not kept; with 2: −1.8 ± 1.0.
 */
export const agentBonus = 2;
export const userBonus = 1;
/**
 * A term is worth less the more messages ago it was last seen: `1 / (1 + ageing × log2(1 + messages))`. That is two thirds after 10 messages, half
 * after 100 and two fifths after 1,000. Without: −2.9 of the exam's evidence at 8,000.
 */
export const ageing = 0.15;
/**
 * What remains of the worth of a term each time it is kept again, of lines that are alike or shown already, and of what was read or written
 * before the newest state of its file. With 0 for terms: −0.1, and −4.7 for atoms last seen long ago.
 */
export const repeatedWeight = 0.05;
/** For what the agent said and wrote, and for the first line of a function, a class, a type or a part of a document. With 2: −5 of the atoms last seen long ago. */
export const favouredWeight = 1.5;
/** For what the agent called up and has not named since. Without, at a quarter: −2.0 of the passages. */
export const untouchedWeight = 2;
/** Texts that differ in nothing but numbers and ids have their whole worth up to this number; more of them share it. As many lines that are alike are bulk. Without: a third of planted facts. */
export const usualForm = 4;

/** The share of a term's worth that counts only if the units next to its unit are kept too. */
export const passageShare = 0.6;
/** Where less than this share of the conversation stays, single lines count more and more against passages. Without: −2.3 at a thirtieth, beside agents' own summaries. */
export const fewestForPassages = 1 / 8;
/** Extra tokens that each line costs: its line break, and the reader's attention. Without: −1.3, because the shortest lines win. */
export const lineTokens = 1;
/** Extra tokens that each passage costs: the mark of the gap before it, and the reader's attention. */
export const gapTokens = 8;
/** Tokens of a heading's marks and line breaks. Without: −0.9. */
export const headingTokens = 4;
/** At most this many re-evaluations per unit on average, and renderings to fill the room of an excerpt. A limit. */
export const mostTries = 8;
/** A candidate this close to the best is accepted, because separating near-ties takes most of the time; so is an excerpt that fills this share of its room. */
export const nearly = 0.98;

/** Choose this multiple of what fits by the estimates, because they may be too high; an excerpt is written again with more lines if it becomes as many times as long. */
export const spare = 1.5;
/** At most this many of the choices that come after are tried for the room that is left. Without: −1.4, because where the first does not fit, a small excerpt is empty. */
export const mostFillers = 24;

/** The share of an excerpt that the names may take that files define; of the window what was done, and whatever the target the user's instructions. Without the names: −.5 of the exam's evidence. */
export const indexShare = 0.04;
/**
 * The share of an excerpt that what the agent said may take word for word, and what texts may take that say what to do or what was found: as a
 * whole, and of what is left, passages of those that did not fit. The exam is the same from .25 to .6. Something of the results always stays:
 * of what is left, each takes no more than the rest of 1.
 */
export const claimShare = 0.4;
/**
 * What is little: what the agent said, of all that the excerpt is made from (beyond that, as where it mostly talks to the user, its words are not
 * special: without this and the rest of 1, −4.3); of turns of talk, those that have a word, so that it tells something (without: −3 of the
 * answers' words at a quarter of six meetings); of the terms of talk, names of things in files.
 */
export const littleShare = 0.1;
/** If the user wrote more than this share of the older tokens, it is a chat, and user messages are not special. Without, a giant one stays whole. */
export const chatShare = 0.35;
/** The share of what the window leaves that rules may take, and of an excerpt the user's words: with all of it, nothing would be left of what was done. A limit. */
export const mostUsers = 0.75;
/** A user message with at least this score is an instruction. With 0: 0.0, but then thanks and nods take room that the target does not leave. */
export const instructionScore = 70;
/** The share of a text's lines that makes it: prose of a text that says what to do, sentences or items of its prose, lines that are shown of one that is not shown again. Limits. */
export const mostly = 0.6;
/** What a token of the user's words and of such texts, and of what the agent wrote, is worth where they are not shown as a whole, as a multiple of what just fits. */
export const saidWorth = 4;
export const writtenWorth = 0.3;

/** Tokens per character, assumed if the view has no text. */
export const usualTokensPerCharacter = 0.25;
/** Broken JSON is read as JSON up to the error if it has at least this number of scalars before it. A limit. */
export const fewestScalars = 4;
/** Arguments nested deeper than this are skipped. A limit. */
export const deepestArgument = 20;

/** People talk if at least this number of messages follow each other without calls. */
export const fewestTurns = 8;
/** How much the length of a turn counts, and how rare its words are, per standard deviation. Without either: −14 of the answers' words at a quarter of six meetings. */
export const talkWeight = 1 / 3;
/** A telling word accounts for at most this many tokens of its turn. Without it, “Mm-hmm.” is kept because it is short. */
export const tokensTold = 4;
