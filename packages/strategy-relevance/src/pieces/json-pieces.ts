import type { Level } from './json-level.js';
import { endOfScalar, endOfString } from './json-scalars.js';
import { addWindows, pieceOf } from './long-lines.js';
import type { Piece } from './piece.js';

/** Longest object, array or run of scalar members that is one piece, in UTF-16 units without its indentation. */
const longestGroup = 220;
/** The same with its indentation. */
const longestIndented = 440;
/** Objects and arrays up to this long stand in a run beside scalars. */
const tiny = 40;
/** Scalars longer than this are divided. */
const longestScalar = 400;
const deepest = 400;

/** What a scan of JSON came to. */
export interface JsonScan {
  /** Where it stopped: after the value, or after the last member that was read whole. */
  readonly end: number;
  /** Where the first character is that is no JSON; `end` if there is none. */
  readonly stop: number;
  /** `cut` if the text ended inside the value, `broken` if something else than JSON stood there. */
  readonly state: 'whole' | 'cut' | 'broken';
  /** How many scalars were read. */
  readonly scalars: number;
}

/**
 * Adds the pieces of the JSON value that begins at `start`, and goes to `limit` at most: objects and arrays that are short,
 * and runs of members of longer ones. Also reads what Python prints for lists and dicts.
 */
export function addJson(pieces: Piece[], text: string, start: number, limit: number): JsonScan {
  return new JsonScanner(pieces, text, limit).scan(start);
}

class JsonScanner {
  readonly #levels: Level[] = [];
  #scalars = 0;
  /** End of the last value that was read whole. */
  #last = 0;
  /** How much white space between tokens has been read, in UTF-16 units. */
  #blanks = 0;

  constructor(
    readonly pieces: Piece[],
    readonly text: string,
    readonly limit: number,
  ) {}

  scan(start: number): JsonScan {
    const { text } = this;
    let at = start;
    this.#last = start;
    let needs: 'value' | 'key' | 'comma' = 'value';
    for (;;) {
      at = this.#skipBlanks(at);
      if (at >= this.limit) return this.#stopped('cut', at);
      const code = text.charCodeAt(at);
      const level = this.#levels.at(-1);
      if (level && code === (level.isArray ? 93 : 125)) {
        if (this.#close(level, at + 1))
          return { end: at + 1, stop: at + 1, state: 'whole', scalars: this.#scalars };
        at++;
        needs = 'comma';
      } else if (needs === 'comma') {
        if (code !== 44 || !level) return this.#stopped('broken', at);
        at++;
        needs = level.isArray ? 'value' : 'key';
      } else if (needs === 'key' && level) {
        const end = endOfString(this.text, at, this.limit);
        if (end <= at) return this.#stopped(end < 0 ? 'cut' : 'broken', at);
        level.keyBlanks = this.#blanks;
        const colon = this.#skipBlanks(end);
        if (text.charCodeAt(colon) !== 58 || colon >= this.limit)
          return this.#stopped(colon >= this.limit ? 'cut' : 'broken', at);
        level.keyStart = at;
        at = colon + 1;
        needs = 'value';
      } else if (code === 123 || code === 91) {
        if (this.#levels.length >= deepest) return this.#stopped('broken', at);
        if (level) this.#addRun(level);
        this.#levels.push(this.#levelAt(at, code === 91));
        at++;
        needs = code === 91 ? 'value' : 'key';
      } else {
        if (!level) return this.#stopped('broken', at);
        const end = endOfScalar(this.text, at, this.limit);
        if (end < 0 && code !== 34 && code !== 39) return this.#stopped('broken', at);
        if (end < 0) {
          // A string that the end cuts is kept as far as it goes.
          this.#scalars++;
          this.#addScalar(level, level.isArray ? at : level.keyStart, this.limit, this.#startBlanks(level));
          this.#last = this.limit;
          return this.#stopped('cut', this.limit);
        }
        if (end === at) return this.#stopped('broken', at);
        this.#scalars++;
        this.#addScalar(level, level.isArray ? at : level.keyStart, end, this.#startBlanks(level));
        this.#last = end;
        at = end;
        needs = 'comma';
      }
    }
  }

  #levelAt(open: number, isArray: boolean): Level {
    return {
      open,
      isArray,
      mark: this.pieces.length,
      openBlanks: this.#blanks,
      keyStart: open,
      keyBlanks: this.#blanks,
      runStart: -1,
      runEnd: -1,
      runBlanks: 0,
      isRunAdded: false,
    };
  }

  #stopped(state: 'cut' | 'broken', stop: number): JsonScan {
    const level = this.#levels.at(-1);
    if (level) this.#addRun(level);
    return { end: this.#last, stop, state, scalars: this.#scalars };
  }

  /** Ends an object or array at `end`; true if it was the outermost. */
  #close(level: Level, end: number): boolean {
    this.#levels.pop();
    const parent = this.#levels.at(-1);
    const isShort = this.#fits(level.open, end, level.openBlanks);
    if (isShort) this.pieces.length = level.mark;
    else this.#addLevelRun(level, parent);
    this.#last = end;
    if (!parent) {
      if (isShort) this.#add(level.open, end);
      return true;
    }
    const start = parent.isArray ? level.open : parent.keyStart;
    const blanks = parent.isArray ? level.openBlanks : parent.keyBlanks;
    if (!isShort) parent.runStart = -1;
    else if (end - start - (this.#blanks - blanks) <= tiny) this.#addScalar(parent, start, end, blanks);
    else {
      parent.runStart = -1;
      this.#add(start, end);
    }
    return false;
  }

  /** Adds the open run of a level that has just been closed. */
  #addLevelRun(level: Level, parent: Level | undefined): void {
    if (level.runStart < 0 || level.isRunAdded) return;
    this.#addRun(level);
    if (parent) parent.runStart = -1;
  }

  /** White space read up to the member of a level whose value is being read. */
  #startBlanks(level: Level): number {
    return level.isArray ? this.#blanks : level.keyBlanks;
  }

  /** Whether what has been read from `start` to `end` is short enough for one piece. */
  #fits(start: number, end: number, blanks: number): boolean {
    return end - start <= longestIndented && end - start - (this.#blanks - blanks) <= longestGroup;
  }

  #addScalar(level: Level, start: number, end: number, blanks: number): void {
    if (level.runStart >= 0 && this.#fits(level.runStart, end, level.runBlanks)) {
      if (level.isRunAdded) this.pieces.pop();
      level.isRunAdded = false;
      level.runEnd = end;
      return;
    }
    this.#addRun(level);
    if (end - start > longestScalar) {
      level.runStart = -1;
      addWindows(this.pieces, this.text, start, end, 1, undefined, true);
      return;
    }
    level.runStart = start;
    level.runEnd = end;
    level.runBlanks = blanks;
    level.isRunAdded = false;
  }

  #addRun(level: Level): void {
    if (level.runStart < 0 || level.isRunAdded) return;
    this.#add(level.runStart, level.runEnd);
    level.isRunAdded = true;
  }

  #add(start: number, end: number): void {
    const weight = failedMember.test(this.text.slice(start, end)) ? 1.5 : 1;
    this.pieces.push(pieceOf(start, end, 'json', weight));
  }

  #skipBlanks(start: number): number {
    let at = start;
    while (at < this.limit) {
      const code = this.text.charCodeAt(at);
      if (code !== 32 && (code < 9 || code > 13)) break;
      at++;
    }
    this.#blanks += at - start;
    return at;
  }
}

/** A member that tells of a failure in words or in an object, unlike a number, a flag or a colour of that name. */
const failedMember =
  /["'](?:error|errors|exception|stderr|failure|failures|failed)["']\s*:\s*(?:["'][^"'\s]+\s|[[{]\s*["'{[])/i;
