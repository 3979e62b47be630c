import { constants } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { unreadable } from './unreadable.js';

export interface Line {
  /** Counted from 1. */
  readonly line: number;
  /** Undefined for a line that is too long for a string. */
  readonly text: string | undefined;
  /** The byte after the line and its line feed. */
  readonly end: number;
  /** False for what stands after the last line feed. */
  readonly isEnded: boolean;
}

interface LineOptions {
  /** Number of the first line. @default 1 */
  readonly line?: number;
  /** The byte at which it begins. @default 0 */
  readonly start?: number;
  /** The longest line that gets a text. */
  readonly maxBytes?: number;
}

/** A byte that stands in no other character of UTF-8. */
const lineFeed = 0x0a;

/**
 * The lines of a file, read as a stream. Lines end at line feeds only: `node:readline` also breaks at U+2028 and U+2029, which may be
 * unescaped in JSON.
 * @throws CtxError `session-unreadable`
 */
export async function* linesOf(path: string, options: LineOptions = {}): AsyncGenerator<Line> {
  const { start: firstByte = 0, maxBytes = constants.MAX_STRING_LENGTH } = options;
  let { line = 1 } = options;
  let end = firstByte;
  let pieces: Buffer[] = [];
  let size = 0;
  const add = (piece: Buffer) => {
    size += piece.length;
    if (size <= maxBytes) pieces.push(piece);
    else pieces = [];
  };
  const finish = (isEnded: boolean): Line => {
    const text = size <= maxBytes ? Buffer.concat(pieces).toString('utf8') : undefined;
    end += isEnded ? size + 1 : size;
    pieces = [];
    size = 0;
    return { line: line++, text, end, isEnded };
  };
  const stream: AsyncIterable<Buffer> = createReadStream(path, { highWaterMark: 1 << 20, start: firstByte });
  try {
    for await (const chunk of stream) {
      let start = 0;
      for (let at = chunk.indexOf(lineFeed); at !== -1; at = chunk.indexOf(lineFeed, start)) {
        if (size > 0 || at - start > maxBytes) {
          add(chunk.subarray(start, at));
          yield finish(true);
        } else {
          end += at - start + 1;
          yield { line: line++, text: chunk.toString('utf8', start, at), end, isEnded: true };
        }
        start = at + 1;
      }
      add(chunk.subarray(start));
    }
  } catch (error) {
    throw unreadable(path, error);
  }
  if (size > 0) yield finish(false);
}
