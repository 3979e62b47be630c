import { addDiff } from './diff-pieces.js';
import { atMost } from './join-pieces.js';
import { addJson } from './json-pieces.js';
import { worthOfLine } from './line-weights.js';
import { cutLineStart, isBlankLine, type Lines, linesOf } from './lines.js';
import { addLong } from './long-lines.js';
import type { Piece, PieceSource } from './piece.js';
import { addTable } from './table-pieces.js';
import { addFrames } from './trace-pieces.js';

export type { Piece, PieceSource } from './piece.js';

/** JSON shorter than this may not have other text after it on its last line, in UTF-16 units. */
const shortJson = 200;
/** What is read as JSON up to a place where it is broken has at least so many scalars. */
const fewestScalars = 4;
/** How far from its start a long line is searched for JSON, in UTF-16 units. */
const longestPrefix = 200;
const longLine = 400;
const mostPieces = 20_000;
const sourceFile =
  /\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|kts?|scala|c|h|cc|cpp|hpp|cs|php|swift|sh|lua|sql|css|scss|html?|vue|svelte|md|mdx|ya?ml|toml)$/i;

/**
 * Divides a text into pieces that can be kept on their own, ordered by position and not overlapping: lines, parts of long
 * lines, members of JSON, lines of diffs, frames of stack traces and rows of tables. Every character belongs to one, but
 * for white space and for what JSON has between its members (brackets, commas, and keys of what is divided). Linear time.
 * Where there would be more than `maxPieces`, neighbours are joined.
 */
export function piecesOf(
  text: string,
  about: PieceSource = {},
  { maxPieces = mostPieces }: { readonly maxPieces?: number } = {},
): Piece[] {
  const pieces: Piece[] = [];
  const lines = linesOf(text);
  const isSource = about.path !== undefined && sourceFile.test(about.path);
  const json = { from: 0 };
  let isBlockStart = true;
  for (let line = 0; line < lines.starts.length; ) {
    if (isBlankLine(lines, line)) {
      isBlockStart = true;
      line++;
      continue;
    }
    const taken =
      addJsonLines(pieces, lines, line, json) ||
      addDiff(pieces, lines, line) ||
      addFrames(pieces, lines, line) ||
      addTable(pieces, lines, line, isBlockStart && !isSource);
    if (taken === 0) {
      addPlain(pieces, lines, line, isSource);
      isBlockStart = text.charCodeAt((lines.ends[line] as number) - 1) === 58;
      line++;
    } else if (taken > 0) {
      isBlockStart = true;
      line += taken;
    } else line = -taken - 1;
  }
  return atMost(pieces, maxPieces);
}

function addPlain(pieces: Piece[], lines: Lines, line: number, isSource: boolean): void {
  const { text } = lines;
  const start = lines.starts[line] as number;
  const end = lines.ends[line] as number;
  const { kind, weight } = worthOfLine(text, lines.firsts[line] as number, end, isSource);
  if (end - start <= longLine || !addJsonWithin(pieces, text, start, end))
    addLong(pieces, text, start, end, kind, weight);
}

/**
 * Adds JSON that begins at the line. Returns how many lines it took, 0 for none; where the rest of a line is left,
 * -1 less the number of that line, which then begins with the rest.
 */
function addJsonLines(pieces: Piece[], lines: Lines, line: number, json: { from: number }): number {
  const { text } = lines;
  const first = lines.firsts[line] as number;
  const code = text.charCodeAt(first);
  if ((code !== 123 && code !== 91) || first < json.from) return 0;
  const count = pieces.length;
  const scan = addJson(pieces, text, first, text.length);
  const isLong = scan.end - first > shortJson;
  let last = lineAt(lines, scan.end, line);
  const isRestBlank = scan.end >= (lines.ends[last] as number);
  const isTaken =
    scan.state === 'whole'
      ? isRestBlank || isLong
      : scan.scalars >= (scan.state === 'cut' ? 1 : fewestScalars);
  if (!isTaken) {
    pieces.length = count;
    // What is no JSON from here is none from any bracket before the place where it broke.
    json.from = scan.stop;
    return 0;
  }
  if (isRestBlank) {
    last++;
    return last - line;
  }
  cutLineStart(lines, last, scan.end);
  return -1 - last;
}

/** Adds a long line that has JSON from somewhere near its start to its end; false if it has none. */
function addJsonWithin(pieces: Piece[], text: string, start: number, end: number): boolean {
  const offset = text.slice(start, start + longestPrefix).search(/[[{]\s*["{[]/);
  if (offset < 0) return false;
  const count = pieces.length;
  const prefixEnd = start + offset;
  if (offset > 0 && text.slice(start, prefixEnd).trim() !== '') addLong(pieces, text, start, prefixEnd);
  const scan = addJson(pieces, text, prefixEnd, end);
  if (scan.state !== 'broken' && scan.scalars > 0) {
    if (scan.end < end) addLong(pieces, text, scan.end, end);
    return true;
  }
  pieces.length = count;
  return false;
}

/** The line that text.charAt(offset - 1) is on, from `line` on. */
function lineAt(lines: Lines, offset: number, line: number): number {
  let low = line;
  let high = lines.starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((lines.starts[middle] as number) < offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
