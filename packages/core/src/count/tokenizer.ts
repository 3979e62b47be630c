import { finish, type Steps } from '../base/slices.js';
import type { TokenCounter } from './count.js';
import type { EncodingTables } from './encodings/encoding-tables.js';

/**
 * The tokenizer remembers words, and with each the whole text that it was found in: a slice of a string holds the string. After so many
 * characters all are forgotten.
 */
const mostHeld = 4_000_000;

/** Characters that whichever counter has counted with an encoding since all was forgotten. */
const held = { o200k_base: 0, cl100k_base: 0 };

export type Encoding = 'o200k_base' | 'cl100k_base';

export type LoadedTokenizer = Required<Pick<TokenCounter, 'count' | 'countInSteps'>>;

/** Counts with an encoding of gpt-tokenizer, in a file of its own that is loaded together with its tables. */
export async function loadTokenizer(encoding: Encoding): Promise<LoadedTokenizer> {
  const { countTokens, clearMergeCache, pattern } = await loadEncoding(encoding);
  const plain = { disallowedSpecial: new Set<string>() };
  const tokenizer: Tokenizer = {
    count(text) {
      held[encoding] += text.length;
      if (held[encoding] > mostHeld) {
        clearMergeCache();
        held[encoding] = text.length;
      }
      return countTokens(text, plain);
    },
    pattern,
  };
  return {
    count: (text) => finish(countInSteps(text, tokenizer)),
    countInSteps: (text) => countInSteps(text, tokenizer),
  };
}

/** A package that is built holds the code and tables of gpt-tokenizer in these files. */
async function loadEncoding(encoding: Encoding): Promise<EncodingTables> {
  switch (encoding) {
    case 'o200k_base':
      return (await import('./encodings/o200k-base.js')).o200kBase;
    case 'cl100k_base':
      return (await import('./encodings/cl100k-base.js')).cl100kBase;
    default:
      return encoding satisfies never;
  }
}

/** A tokenizer whose work grows with the square of the length of a piece. */
interface Tokenizer {
  count(text: string): number;
  /** Splits a text into the pieces that are encoded separately. */
  readonly pattern: RegExp;
}

/** Longer pieces are cut at this length, in UTF-16 units. */
const longestPiece = 512;
/** If giant pieces are longer than this in total, only samples of them are counted. */
const exactLength = 262_144;
/** About 1 ms of counting, in UTF-16 units. */
const stepLength = 8_192;

/** Of a longer text, in UTF-16 units, only samples are counted: exact counting takes a second for seven million. */
const longestCounted = 1_000_000;
/** Samples of a long text; their number and length keep the error at some percent where a text changes its language midway. */
const samples = 128;
const sampleLength = 1_024;

/**
 * Counts a text in time linear in its length. Exact for a text of up to a million UTF-16 units unless a piece of it has more than 512. Such
 * pieces are cut; if they have more than 262,144 units in total, only samples are counted. Of a longer text, samples from all over it are.
 */
function* countInSteps(text: string, tokenizer: Tokenizer): Steps<number> {
  if (text.length > longestCounted) return yield* countSamples(text, tokenizer);
  if (text.length <= stepLength && !mayHaveGiant(text)) return tokenizer.count(text);
  let tokens = 0;
  const giants: string[] = [];
  for (const part of partsOf(text)) {
    yield;
    tokens += mayHaveGiant(part) ? countBetween(part, tokenizer, giants) : tokenizer.count(part);
  }
  return tokens + (yield* countGiants(giants, tokenizer));
}

/** One sample from each of equal sections, at a different place in each: what repeats in a text is not met in step with it. */
function* countSamples(text: string, tokenizer: Tokenizer): Steps<number> {
  const section = text.length / samples;
  let tokens = 0;
  let counted = 0;
  for (let number = 0; number < samples; number += 1) {
    const shift = ((number * goldenSection) % 1) * (section - sampleLength);
    const start = wholeCharacter(text, Math.floor(number * section + shift));
    const end = wholeCharacter(text, start + sampleLength);
    tokens += yield* countInSteps(text.slice(start, end), tokenizer);
    counted += end - start;
    yield;
  }
  return Math.round((tokens * text.length) / counted);
}

/** Its multiples, less their whole parts, are spread evenly between 0 and 1 (Weyl). */
const goldenSection = 0.618033988749895;

/**
 * 500 characters that may be in one piece: letters, marks and line breaks, or white space, each with any that are not ASCII. Whatever the
 * pattern adds before and after it, no shorter run becomes a piece that is too long. It is only looked for where a run begins.
 */
const longRun =
  /(?<![a-zA-Z\x80-\uffff])[a-zA-Z\x80-\uffff]{500}|(?<![^a-zA-Z\d\t\v\f ])[^a-zA-Z\d\t\v\f ]{500}|(?<![\s\x80-\uffff])[\s\x80-\uffff]{500}/;

/** Checks quickly whether any piece could be giant. May say true if none is, but never false if one is. */
function mayHaveGiant(text: string): boolean {
  return longRun.test(text);
}

/** Divides a text at seams. A part without a seam stays whole. */
function* partsOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    let end: number | undefined;
    for (let last = start + stepLength; end === undefined; last += stepLength)
      end = last >= text.length ? text.length : seamBefore(text, last, last - stepLength);
    yield text.slice(start, end);
    start = end;
  }
}

/**
 * The last place, after `least`, between a letter or digit and a character that can't continue its piece. No piece crosses
 * it, so both sides together have as many tokens as the whole.
 */
function seamBefore(text: string, last: number, least: number): number | undefined {
  for (let end = last; end > least; end -= 1) {
    if (/^[\p{L}\p{N}](?:\s|(?!')\p{P})/u.test(text.slice(end - 1, end + 1))) return end;
  }
  return undefined;
}

/** Counts all but what follows the beginning of each giant piece. What stands before one is divided according to how it begins. */
function countBetween(text: string, { count, pattern }: Tokenizer, giants: string[]): number {
  let [tokens, from] = [0, 0];
  for (const { 0: piece, index } of text.matchAll(pattern)) {
    if (piece.length <= longestPiece) continue;
    const end = wholeCharacter(text, index + longestPiece);
    tokens += count(text.slice(from, end));
    from = index + piece.length;
    giants.push(text.slice(end, from));
  }
  return tokens + count(text.slice(from));
}

function* countGiants(giants: readonly string[], tokenizer: Tokenizer): Steps<number> {
  const all = giants.join('');
  if (all.length > exactLength) return yield* countSamples(all, tokenizer);
  let tokens = 0;
  for (const giant of giants)
    for (let start = 0; start < giant.length; ) {
      const end = wholeCharacter(giant, start + longestPiece);
      yield;
      tokens += tokenizer.count(giant.slice(start, end));
      start = end;
    }
  return tokens;
}

/** The position, or the one before it if it would split a surrogate pair. */
function wholeCharacter(text: string, position: number): number {
  if (position >= text.length) return text.length;
  const code = text.charCodeAt(position);
  return code >= 0xdc00 && code <= 0xdfff ? position - 1 : position;
}
