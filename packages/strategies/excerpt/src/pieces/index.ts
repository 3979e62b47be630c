import type { Steps } from '@ctx/core';
import { fewestScalars, sizes } from '../weights.js';
import { addJson } from './json-pieces.js';
import { type Piece, PieceWriter, stepCharacters } from './piece-writer.js';

/** A line by its offsets: its start, its first character that is not white space, and its end without white space. */
interface Line {
  readonly start: number;
  readonly first: number;
  readonly end: number;
}

/**
 * Divides a text into pieces that can be kept by themselves: lines, parts of long lines and members of JSON. They are in order and do not overlap. Every character belongs to a piece, except white space and,
 * in JSON, brackets, commas and the keys of divided values. Takes linear time. If there would be more than `maxPieces`, neighbours are
 * joined.
 */
export function* piecesInSteps(
  text: string,
  { maxPieces = sizes.document }: { readonly maxPieces?: number } = {},
): Steps<readonly Piece[]> {
  const writer = new PieceWriter(text);
  const lines = yield* linesOf(text);
  /** No JSON begins before this offset. */
  let jsonFrom = 0;
  let pause = stepCharacters;
  for (let at = 0; at < lines.length; ) {
    const { start, first, end } = lines[at] as Line;
    if (start > pause) {
      yield;
      pause = start + stepCharacters;
    }
    if (first >= jsonFrom && '{['.includes(text.charAt(first))) {
      const taken = yield* addLines(writer, lines, at);
      jsonFrom = taken.from;
      at = taken.next;
      if (jsonFrom <= first) continue;
    }
    if (end - start <= sizes.paragraph || !(yield* addWithin(writer, start, end))) writer.addLong(start, end);
    at += 1;
  }
  return atMost(writer.pieces, maxPieces);
}

/** The lines that are not blank. Progress bars use carriage returns to overwrite themselves. */
function* linesOf(text: string): Steps<Line[]> {
  const lines: Line[] = [];
  let pause = stepCharacters;
  for (const { 0: said, index } of text.matchAll(/[^\n\r]+/g)) {
    if (index > pause) {
      yield;
      pause = index + stepCharacters;
    }
    const line = lineOf(said, index);
    if (line.first < line.end) lines.push(line);
  }
  return lines;
}

function lineOf(said: string, start: number): Line {
  return { start, first: start + said.length - said.trimStart().length, end: start + said.trimEnd().length };
}

/**
 * Adds the JSON that begins on a line. `next`: the line that comes after it, which may have lost its beginning; `from`: if there is no JSON,
 * where parsing failed, because no bracket before it can begin JSON.
 */
function* addLines(writer: PieceWriter, lines: Line[], at: number): Steps<{ next: number; from: number }> {
  const { text, count } = writer;
  const { first } = lines[at] as Line;
  const scan = yield* addJson(writer, first, text.length);
  let last = at;
  while (last + 1 < lines.length && (lines[last + 1] as Line).start < scan.end) last += 1;
  const { end } = lines[last] as Line;
  const isTaken =
    scan.state === 'whole'
      ? scan.end >= end || scan.end - first > sizes.line
      : scan.scalars >= (scan.state === 'cut' ? 1 : fewestScalars);
  if (!isTaken) {
    writer.takeBackTo(count);
    return { next: at, from: Math.max(scan.stop, first + 1) };
  }
  if (scan.end >= end) return { next: last + 1, from: 0 };
  lines[last] = lineOf(text.slice(scan.end, end), scan.end);
  return { next: last, from: 0 };
}

/** Adds a long line with JSON near its start that goes to its end. Returns false if there is none. */
function* addWithin(writer: PieceWriter, start: number, end: number): Steps<boolean> {
  const { text, count } = writer;
  const offset = text.slice(start, start + sizes.line).search(/[[{]\s*["{[]/);
  if (offset < 0) return false;
  const jsonStart = start + offset;
  if (text.slice(start, jsonStart).trim() !== '') writer.addLong(start, jsonStart);
  const scan = yield* addJson(writer, jsonStart, end);
  if (scan.state !== 'broken' && scan.scalars > 0) {
    if (scan.end < end) writer.addLong(scan.end, end);
    return true;
  }
  writer.takeBackTo(count);
  return false;
}

/** Joins neighbours into at most `maxPieces` larger pieces. */
function atMost(pieces: readonly Piece[], maxPieces: number): readonly Piece[] {
  const each = Math.ceil(pieces.length / maxPieces);
  return pieces.flatMap((piece, at) => {
    const last = pieces[Math.min(at + each, pieces.length) - 1] as Piece;
    return at % each > 0
      ? []
      : [{ start: piece.start, end: last.end, kind: each === 1 ? piece.kind : 'line' }];
  });
}
