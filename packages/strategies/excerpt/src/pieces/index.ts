import type { Steps } from '@ctx/core';
import { atMost } from './join-pieces.js';
import { JsonLines } from './json-lines.js';
import { cutLineStart, isBlankLine, linesOf } from './lines.js';
import { type Piece, stepCharacters } from './piece.js';
import { PieceWriter } from './piece-writer.js';
import { longestLine, mostPieces } from './weights.js';

/**
 * Divides a text into pieces that can be kept by themselves: lines, parts of long lines and members of JSON. They are in order and do not overlap. Every character belongs to a piece, except white space and,
 * in JSON, brackets, commas and the keys of divided values. Takes linear time. If there would be more than `maxPieces`, neighbours are
 * joined.
 */
export function* piecesInSteps(
  text: string,
  { maxPieces = mostPieces }: { readonly maxPieces?: number } = {},
): Steps<readonly Piece[]> {
  const writer = new PieceWriter(text);
  const lines = yield* linesOf(text);
  const json = new JsonLines(writer, lines);
  let pause = stepCharacters;
  for (let line = 0; line < lines.starts.length; ) {
    if ((lines.starts[line] as number) > pause) {
      yield;
      pause = (lines.starts[line] as number) + stepCharacters;
    }
    if (isBlankLine(lines, line)) {
      line++;
      continue;
    }
    const taken = json.mayBegin(line) ? yield* json.add(line) : undefined;
    if (taken === undefined) {
      const [start, end] = [lines.starts[line] as number, lines.ends[line] as number];
      const jsonStart = end - start <= longestLine ? -1 : json.startWithin(start);
      if (jsonStart < 0 || !(yield* json.addWithin(start, jsonStart, end))) writer.addLong(start, end);
      line++;
    } else {
      line += taken.lines;
      if (taken.restAt !== undefined) cutLineStart(lines, line, taken.restAt);
    }
  }
  return writer.count <= maxPieces ? writer.pieces : yield* atMost(writer.pieces, maxPieces);
}
