import { constants, isAscii } from 'node:buffer';
import { openRegular, unreadable } from './regular-file.js';

export interface Line {
  /** Counted from 1. */
  readonly line: number;
  /** Undefined for a line that is too long for a string. */
  readonly text: string | undefined;
  /** The byte after the line and its line feed. */
  readonly end: number;
  /** False for what is after the last line feed. */
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

/** Bytes of the buffer into which pieces of a file are read: few calls for a large file, and little memory for a small one. */
const mostAtOnce = 1 << 20;
const leastAtOnce = 1 << 12;

/** A byte that is in no other character of UTF-8. */
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
    const text = size <= maxBytes ? textOf(Buffer.concat(pieces)) : undefined;
    end += isEnded ? size + 1 : size;
    pieces = [];
    size = 0;
    return { line: line++, text, end, isEnded };
  };
  const file = await openRegular(path);
  try {
    const { size: fileSize } = await file.stat();
    const buffer = Buffer.allocUnsafe(Math.min(mostAtOnce, Math.max(leastAtOnce, fileSize - firstByte + 1)));
    let position = firstByte;
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, position);
      if (bytesRead === 0) break;
      position += bytesRead;
      const chunk = buffer.subarray(0, bytesRead);
      let start = 0;
      for (let at = chunk.indexOf(lineFeed); at !== -1; at = chunk.indexOf(lineFeed, start)) {
        if (size > 0 || at - start > maxBytes) {
          add(chunk.subarray(start, at));
          yield finish(true);
        } else {
          end += at - start + 1;
          yield { line: line++, text: textOf(chunk.subarray(start, at)), end, isEnded: true };
        }
        start = at + 1;
      }
      // The next piece is read into the same buffer.
      if (start < bytesRead) add(Buffer.from(chunk.subarray(start)));
    }
  } catch (error) {
    throw unreadable(path, error);
  } finally {
    await file.close();
  }
  if (size > 0) yield finish(false);
}

/** Plain ASCII, as most lines are, is copied instead of decoded. */
function textOf(bytes: Buffer): string {
  return isAscii(bytes) ? bytes.toString('latin1') : bytes.toString('utf8');
}
