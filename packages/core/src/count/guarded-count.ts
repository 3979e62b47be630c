/** A tokenizer whose work grows with the square of the length of a piece. */
export interface Tokenizer {
  count(text: string): number;
  /** Splits a text into the pieces that are encoded separately. */
  readonly pattern: RegExp;
}

/** Longer pieces are cut at this length, in UTF-16 units. */
const longestPiece = 512;
/** A run shorter than this can't become a piece that is too long, whatever the pattern adds before and after it. */
const shortestRun = 500;
/** If giant pieces are longer than this in total, evenly spread samples are counted and the rest is extrapolated. */
const exactLength = 262_144;
/** A single match over many millions of characters overflows the stack of the regular expression. */
const longestChunk = 1_000_000;
/** How far back from its end a chunk is searched for a place that no piece crosses. */
const cutSearch = 10_000;

/**
 * Counts a text in time linear in its length. Exact unless a piece has more than 512 UTF-16 units. Such pieces are cut;
 * if they have more than 262,144 units in total, only samples are counted.
 */
export function guardedCount(text: string, tokenizer: Tokenizer): number {
  if (!mayHaveGiant(text)) return tokenizer.count(text);
  let tokens = 0;
  const giants: string[] = [];
  for (const chunk of chunksOf(text)) tokens += countBetween(chunk, tokenizer, giants);
  return tokens + countGiants(giants, tokenizer);
}

/** Kinds of pieces, as bits that can be combined. */
const letter = 1;
const mark = 2;
const space = 4;
/**
 * The kinds of pieces that an ASCII character can belong to; any other character may belong to all. Line breaks can
 * also follow marks.
 */
const kindsOfAscii = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[a-z]/i.test(character)) return letter;
  if (/[\r\n]/.test(character)) return mark | space;
  if (/\s/.test(character)) return space;
  return /\d/.test(character) ? 0 : mark;
});

/** Checks quickly whether any piece could be giant. May say true if none is, but never false if one is. */
function mayHaveGiant(text: string): boolean {
  if (text.length < shortestRun) return false;
  let letters = 0;
  let marks = 0;
  let spaces = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const kinds = code < 128 ? (kindsOfAscii[code] as number) : letter | mark | space;
    letters = kinds & letter ? letters + 1 : 0;
    marks = kinds & mark ? marks + 1 : 0;
    spaces = kinds & space ? spaces + 1 : 0;
    if (letters >= shortestRun || marks >= shortestRun || spaces >= shortestRun) return true;
  }
  return false;
}

function* chunksOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const end = chunkEnd(text, start);
    yield start === 0 && end === text.length ? text : text.slice(start, end);
    start = end;
  }
}

/** Prefers a place between a letter or digit and a character that can't continue its piece. */
function chunkEnd(text: string, start: number): number {
  const last = start + longestChunk;
  if (last >= text.length) return text.length;
  for (let end = last; end > last - cutSearch; end -= 1) {
    if (/^[\p{L}\p{N}](?:\s|(?!')\p{P})/u.test(text.slice(end - 1, end + 1))) return end;
  }
  return wholeCharacter(text, last);
}

/** Counts the text between giant pieces and collects the giant pieces. */
function countBetween(text: string, { count, pattern }: Tokenizer, giants: string[]): number {
  let tokens = 0;
  let from = 0;
  // White space before a giant piece is split according to what follows. At the end of a text it would be one piece.
  let spaces: string[] = [];
  let length = 0;
  for (const { 0: piece, index } of text.matchAll(pattern)) {
    if (piece.length > longestPiece) {
      const end = index - length;
      if (end > from) tokens += count(text.slice(from, end));
      for (const one of spaces) tokens += count(one);
      giants.push(piece);
      from = index + piece.length;
    }
    if (piece.length <= longestPiece && !/\S/.test(piece)) {
      spaces.push(piece);
      length += piece.length;
    } else if (length > 0) {
      spaces = [];
      length = 0;
    }
  }
  if (from === 0) return count(text);
  return from < text.length ? tokens + count(text.slice(from)) : tokens;
}

function countGiants(giants: readonly string[], { count }: Tokenizer): number {
  const length = giants.reduce((sum, giant) => sum + giant.length, 0);
  const step = Math.max(1, length / exactLength);
  let tokens = 0;
  let counted = 0;
  let part = 0;
  let next = 0;
  for (const giant of giants) {
    for (let start = 0; start < giant.length; part += 1) {
      const end = wholeCharacter(giant, start + longestPiece);
      if (part >= next) {
        tokens += count(giant.slice(start, end));
        counted += end - start;
        next += step;
      }
      start = end;
    }
  }
  return step === 1 ? tokens : Math.round((tokens * length) / counted);
}

/** The position, or the one before it if it would split a surrogate pair. */
function wholeCharacter(text: string, position: number): number {
  if (position >= text.length) return text.length;
  const code = text.charCodeAt(position);
  return code >= 0xdc00 && code <= 0xdfff ? position - 1 : position;
}
