import { constants } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { unreadable } from './unreadable.js';

export interface Line {
  /** Counted from 1. */
  readonly line: number;
  /** Undefined for a line that is too long for a string. */
  readonly text: string | undefined;
}

/** A byte that stands in no other character of UTF-8. */
const lineFeed = 0x0a;

/**
 * The lines of a file, read as a stream. Lines end at line feeds only: `node:readline` also breaks at U+2028 and U+2029, which may be
 * unescaped in JSON.
 * @throws CtxError `session-unreadable`
 */
export async function* linesOf(path: string, maxBytes = constants.MAX_STRING_LENGTH): AsyncGenerator<Line> {
  let line = 1;
  let pieces: Buffer[] = [];
  let size = 0;
  const add = (piece: Buffer) => {
    size += piece.length;
    if (size <= maxBytes) pieces.push(piece);
    else pieces = [];
  };
  const finish = (): Line => {
    const text = size <= maxBytes ? Buffer.concat(pieces).toString('utf8') : undefined;
    pieces = [];
    size = 0;
    return { line: line++, text };
  };
  const stream: AsyncIterable<Buffer> = createReadStream(path, { highWaterMark: 1 << 20 });
  try {
    for await (const chunk of stream) {
      let start = 0;
      for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
        add(chunk.subarray(start, end));
        yield finish();
        start = end + 1;
      }
      add(chunk.subarray(start));
    }
  } catch (error) {
    throw unreadable(path, error);
  }
  if (size > 0) yield finish();
}
