import type { Steps } from '@ctx/core';
import * as char from '../characters.js';
import { addJson } from './json-pieces.js';
import type { Lines } from './lines.js';
import type { Taken } from './piece.js';
import type { PieceWriter } from './piece-writer.js';
import { fewestScalars, longestJsonPrefix, shortJson } from './weights.js';

/** Finds the JSON in the lines of a text. */
export class JsonLines {
  /** No JSON begins before this offset. */
  #from = 0;

  constructor(
    readonly writer: PieceWriter,
    readonly lines: Lines,
  ) {}

  /** Adds the JSON that begins on the line. */
  *add(line: number): Steps<Taken | undefined> {
    const { writer, lines } = this;
    const { text } = writer;
    const first = lines.firsts[line] as number;
    const code = text.charCodeAt(first);
    if ((code !== char.openBrace && code !== char.openBracket) || first < this.#from) return undefined;
    const { count } = writer;
    const scan = yield* addJson(writer, first, text.length);
    const last = lineAt(lines, scan.end, line);
    const isRestBlank = scan.end >= (lines.ends[last] as number);
    const isTaken =
      scan.state === 'whole'
        ? isRestBlank || scan.end - first > shortJson
        : scan.scalars >= (scan.state === 'cut' ? 1 : fewestScalars);
    if (!isTaken) {
      writer.takeBackTo(count);
      // No bracket before the place where parsing failed can begin JSON.
      this.#from = scan.stop;
      return undefined;
    }
    return isRestBlank ? { lines: last + 1 - line } : { lines: last - line, restAt: scan.end };
  }

  /** Adds a long line whose JSON begins near its start and goes to its end. Returns false if there is none. */
  *addWithin(start: number, end: number): Steps<boolean> {
    const { writer } = this;
    const { text } = writer;
    const offset = text.slice(start, start + longestJsonPrefix).search(/[[{]\s*["{[]/);
    if (offset < 0) return false;
    const { count } = writer;
    const prefixEnd = start + offset;
    if (offset > 0 && text.slice(start, prefixEnd).trim() !== '') writer.addLong(start, prefixEnd);
    const scan = yield* addJson(writer, prefixEnd, end);
    if (scan.state !== 'broken' && scan.scalars > 0) {
      if (scan.end < end) writer.addLong(scan.end, end);
      return true;
    }
    writer.takeBackTo(count);
    return false;
  }
}

/** The line of text.charAt(offset - 1), which is `line` or a later one. */
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
