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

  /** Whether JSON may begin on the line. */
  mayBegin(line: number): boolean {
    const first = this.lines.firsts[line] as number;
    const code = this.writer.text.charCodeAt(first);
    return (code === char.openBrace || code === char.openBracket) && first >= this.#from;
  }

  /** Adds the JSON that begins on the line. */
  *add(line: number): Steps<Taken | undefined> {
    const { writer, lines } = this;
    const first = lines.firsts[line] as number;
    const { count } = writer;
    const scan = yield* addJson(writer, first, writer.text.length);
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

  /** Where JSON may begin near the start of a long line; -1 if nowhere. */
  startWithin(start: number): number {
    const offset = this.writer.text.slice(start, start + longestJsonPrefix).search(/[[{]\s*["{[]/);
    return offset < 0 ? -1 : start + offset;
  }

  /** Adds a long line whose JSON begins at `jsonStart` and goes to its end. Returns false if there is none. */
  *addWithin(start: number, jsonStart: number, end: number): Steps<boolean> {
    const { writer } = this;
    const { text } = writer;
    const { count } = writer;
    if (text.slice(start, jsonStart).trim() !== '') writer.addLong(start, jsonStart);
    const scan = yield* addJson(writer, jsonStart, end);
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
