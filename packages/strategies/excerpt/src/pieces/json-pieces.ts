import type { Steps } from '@ctx/core';
import * as char from '../characters.js';
import { type PieceWriter, stepCharacters } from './piece-writer.js';
import { deepestJson, longestGroup, longestLine, tinyGroup } from './weights.js';

/** Consecutive scalar members that may become one piece. */
interface Run {
  readonly start: number;
  end: number;
  /** The white space between tokens before `start`, from the start of the text. */
  readonly blanks: number;
  /** Whether it has been added as the last piece, because an object or array was opened. */
  isAdded: boolean;
}

/** An object or array that is open. */
interface Level {
  readonly open: number;
  /** The white space between tokens before `open`, from the start of the text; `keyBlanks` is the same for `keyStart`. */
  readonly openBlanks: number;
  readonly isArray: boolean;
  /** The number of pieces when it was opened. */
  readonly mark: number;
  keyStart: number;
  keyBlanks: number;
  run: Run | undefined;
}

/** The result of scanning JSON. */
export interface JsonScan {
  /** Where the JSON ends: after the value, or after the last complete member. */
  readonly end: number;
  /** The offset of the first character that is not JSON; `end` if there is none. */
  readonly stop: number;
  /** `cut` if the text ends inside the value, `broken` if something other than JSON follows. */
  readonly state: 'whole' | 'cut' | 'broken';
  /** How many scalars were read. */
  readonly scalars: number;
}

/**
 * Adds the pieces of the JSON value that begins at `start` and ends at `limit` at the latest: short objects and arrays, and runs of
 * members of longer ones. Also reads lists and dicts as Python prints them.
 */
export function addJson(writer: PieceWriter, start: number, limit: number): Steps<JsonScan> {
  return new JsonScanner(writer, limit).scan(start);
}

class JsonScanner {
  readonly #text: string;
  readonly #levels: Level[] = [];
  #needs: 'value' | 'key' | 'comma' = 'value';
  /** Undefined until the scan ends. */
  #state: JsonScan['state'] | undefined;
  #scalars = 0;
  /** The end of the last complete value. */
  #last = 0;
  /** The white space between tokens that has been read, in UTF-16 units. */
  #blanks = 0;

  constructor(
    readonly writer: PieceWriter,
    readonly limit: number,
  ) {
    this.#text = writer.text;
  }

  *scan(start: number): Steps<JsonScan> {
    this.#last = start;
    let at = start;
    let pause = start + stepCharacters;
    for (;;) {
      if (at > pause) {
        yield;
        pause = at + stepCharacters;
      }
      at = this.#skipBlanks(at);
      at = at >= this.limit ? this.#stop('cut', at) : this.#read(at);
      if (this.#state !== undefined)
        return { end: this.#last, stop: at, state: this.#state, scalars: this.#scalars };
    }
  }

  /** Reads a token and returns its end. */
  #read(at: number): number {
    const code = this.#text.charCodeAt(at);
    const level = this.#levels.at(-1);
    if (level && code === (level.isArray ? char.closeBracket : char.closeBrace))
      return this.#close(level, at + 1);
    if (this.#needs === 'comma') {
      if (code !== char.comma || !level) return this.#stop('broken', at);
      this.#needs = level.isArray ? 'value' : 'key';
      return at + 1;
    }
    if (this.#needs === 'key' && level) return this.#readKey(level, at);
    if (code === char.openBrace || code === char.openBracket)
      return this.#open(level, at, code === char.openBracket);
    return level ? this.#readScalar(level, at) : this.#stop('broken', at);
  }

  /** Reads a key and its colon, and returns their end. */
  #readKey(level: Level, at: number): number {
    const end = endOfString(this.#text, at, this.limit);
    if (end === undefined) return this.#stop('broken', at);
    if (end > this.limit) return this.#stop('cut', at);
    level.keyBlanks = this.#blanks;
    const colon = this.#skipBlanks(end);
    if (colon >= this.limit) return this.#stop('cut', at);
    if (this.#text.charCodeAt(colon) !== char.colon) return this.#stop('broken', at);
    level.keyStart = at;
    this.#needs = 'value';
    return colon + 1;
  }

  /** Opens an object or array, and returns where its first member may begin. */
  #open(level: Level | undefined, at: number, isArray: boolean): number {
    if (this.#levels.length >= deepestJson) return this.#stop('broken', at);
    if (level) this.#addRun(level);
    this.#levels.push({
      open: at,
      isArray,
      mark: this.writer.count,
      openBlanks: this.#blanks,
      keyStart: at,
      keyBlanks: this.#blanks,
      run: undefined,
    });
    this.#needs = isArray ? 'value' : 'key';
    return at + 1;
  }

  /** Reads a scalar and returns its end. A string that crosses the limit is kept up to the limit. */
  #readScalar(level: Level, at: number): number {
    const end = endOfScalar(this.#text, at, this.limit);
    if (end === undefined) return this.#stop('broken', at);
    this.#scalars++;
    const start = level.isArray ? at : level.keyStart;
    this.#last = Math.min(end, this.limit);
    this.#addMember(level, start, this.#last, level.isArray ? this.#blanks : level.keyBlanks);
    if (end > this.limit) return this.#stop('cut', this.limit);
    this.#needs = 'comma';
    return end;
  }

  #stop(state: 'cut' | 'broken', at: number): number {
    const level = this.#levels.at(-1);
    if (level) this.#addRun(level);
    this.#state = state;
    return at;
  }

  /** Closes an object or array at `end`. */
  #close(level: Level, end: number): number {
    this.#levels.pop();
    const parent = this.#levels.at(-1);
    const isShort = this.#fits(level.open, end, level.openBlanks);
    if (isShort) this.writer.takeBackTo(level.mark);
    else this.#addLastRun(level, parent);
    this.#last = end;
    this.#needs = 'comma';
    if (parent) this.#closeIn(parent, level, end, isShort);
    else {
      if (isShort) this.#add(level.open, end);
      this.#state = 'whole';
    }
    return end;
  }

  /** Adds a closed object or array to the one that contains it. */
  #closeIn(parent: Level, level: Level, end: number, isShort: boolean): void {
    if (!isShort) {
      parent.run = undefined;
      return;
    }
    const start = parent.isArray ? level.open : parent.keyStart;
    const blanks = parent.isArray ? level.openBlanks : parent.keyBlanks;
    if (end - start - (this.#blanks - blanks) <= tinyGroup) this.#addMember(parent, start, end, blanks);
    else {
      parent.run = undefined;
      this.#add(start, end);
    }
  }

  /** Adds the open run of a level that has just closed. */
  #addLastRun(level: Level, parent: Level | undefined): void {
    if (level.run === undefined || level.run.isAdded) return;
    this.#addRun(level);
    if (parent) parent.run = undefined;
  }

  /** Whether the text from `start` to `end` is short enough for one piece. */
  #fits(start: number, end: number, blanks: number): boolean {
    return end - start <= 2 * longestGroup && end - start - (this.#blanks - blanks) <= longestGroup;
  }

  /** Adds a small member to the run of its level, or starts a run with it. */
  #addMember(level: Level, start: number, end: number, blanks: number): void {
    const { run } = level;
    if (run !== undefined && this.#fits(run.start, end, run.blanks)) {
      if (run.isAdded) this.writer.takeBackTo(this.writer.count - 1);
      run.isAdded = false;
      run.end = end;
      return;
    }
    this.#addRun(level);
    const isLong = end - start > longestLine;
    level.run = isLong ? undefined : { start, end, blanks, isAdded: false };
    if (isLong) this.writer.addWindows(start, end, { escaped: true });
  }

  #addRun({ run }: Level): void {
    if (run === undefined || run.isAdded) return;
    this.#add(run.start, run.end);
    run.isAdded = true;
  }

  #add(start: number, end: number): void {
    this.writer.add(start, end, 'json');
  }

  #skipBlanks(start: number): number {
    let at = start;
    while (at < this.limit && isBlank(this.#text.charCodeAt(at))) at++;
    this.#blanks += at - start;
    return at;
  }
}

/** Whether this is white space as JSON allows it between tokens: a space, a tab or a line break. */
function isBlank(code: number): boolean {
  return code === char.space || (code >= char.tab && code <= char.carriageReturn);
}

/** The end of the string at `start`: undefined if there is none, beyond the limit if the string crosses the limit. */
function endOfString(text: string, start: number, limit: number): number | undefined {
  const quote = text.charCodeAt(start);
  if (quote !== char.doubleQuote && quote !== char.singleQuote) return undefined;
  for (let at = start + 1; at < limit; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) return at + 1;
    if (code === char.backslash) at++;
    else if (code === char.lineFeed) return undefined;
  }
  return limit + 1;
}

/** The end of a string, a number or a constant, as `endOfString` gives it. */
function endOfScalar(text: string, start: number, limit: number): number | undefined {
  const code = text.charCodeAt(start);
  if (code === char.doubleQuote || code === char.singleQuote) return endOfString(text, start, limit);
  if (code === char.minus || char.isDigit(code)) {
    let at = start + 1;
    while (at < limit && '0123456789.eE+-'.includes(text.charAt(at))) at++;
    return at;
  }
  for (const word of constants) if (text.startsWith(word, start)) return Math.min(start + word.length, limit);
  return undefined;
}

const constants = ['null', 'true', 'false', 'None', 'True', 'False', 'NaN'];
