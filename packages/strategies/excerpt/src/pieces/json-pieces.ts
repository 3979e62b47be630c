import type { Steps } from '@ctx/core';
import * as char from '../characters.js';
import { sizes } from '../weights.js';
import { type PieceWriter, stepCharacters } from './piece-writer.js';

/** An object or array that is open. */
interface Level {
  readonly open: number;
  readonly isArray: boolean;
  /** The number of pieces when it was opened. */
  readonly mark: number;
  /** Where the member that is read begins, with its key. */
  member: number;
  /** The number and the start of the piece that short members are added to; undefined if the next one begins its own. */
  run: { readonly piece: number; readonly start: number } | undefined;
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
export function* addJson(writer: PieceWriter, start: number, limit: number): Steps<JsonScan> {
  const { text } = writer;
  const levels: Level[] = [];
  let needs: 'value' | 'key' | 'comma' = 'value';
  let [at, end, scalars, pause] = [start, start, 0, start + stepCharacters];
  const ended = (state: JsonScan['state'], stop = at): JsonScan => ({ end, stop, state, scalars });
  for (;;) {
    if (at > pause) {
      yield;
      pause = at + stepCharacters;
    }
    at = afterBlanks(text, at, limit);
    if (at >= limit) return ended('cut');
    const code = text.charCodeAt(at);
    const level = levels.at(-1);
    if (level !== undefined && code === (level.isArray ? char.closeBracket : char.closeBrace)) {
      levels.pop();
      at += 1;
      end = at;
      close(writer, level, end, levels.at(-1));
      if (levels.length === 0) return ended('whole');
      needs = 'comma';
    } else if (needs === 'comma') {
      if (code !== char.comma) return ended('broken');
      needs = level?.isArray === true ? 'value' : 'key';
      at += 1;
    } else if (needs === 'key' && level !== undefined) {
      const key = endOfString(text, at, limit);
      if (key === undefined) return ended('broken');
      const colon = afterBlanks(text, key, limit);
      if (colon >= limit) return ended('cut');
      if (text.charCodeAt(colon) !== char.colon) return ended('broken');
      level.member = at;
      needs = 'value';
      at = colon + 1;
    } else {
      if (level?.isArray === true) level.member = at;
      const isArray = code === char.openBracket;
      if (isArray || code === char.openBrace) {
        levels.push({ open: at, isArray, mark: writer.count, member: at, run: undefined });
        needs = isArray ? 'value' : 'key';
        at += 1;
        continue;
      }
      const after = endOfScalar(text, at, limit);
      if (after === undefined || level === undefined) return ended('broken');
      scalars += 1;
      // A string that crosses the limit is kept up to the limit.
      end = Math.min(after, limit);
      addMember(writer, level, end);
      if (after > limit) return ended('cut', limit);
      needs = 'comma';
      at = after;
    }
  }
}

/** Adds an object or array that ends here: as one piece, or as a member of the run around it, if it is short. */
function close(writer: PieceWriter, level: Level, end: number, parent: Level | undefined): void {
  const isShort = fits(writer, level.open, end);
  if (isShort) writer.takeBackTo(level.mark);
  if (parent === undefined) {
    if (isShort) writer.add(level.open, end, 'json');
    return;
  }
  if (isShort && fits(writer, parent.member, end, sizes.phrase)) addMember(writer, parent, end);
  else {
    parent.run = undefined;
    if (isShort) writer.add(parent.member, end, 'json');
  }
}

/** Adds a small member to the run of its level, or starts a run with it. */
function addMember(writer: PieceWriter, level: Level, end: number): void {
  const { member, run } = level;
  if (run !== undefined && run.piece === writer.count - 1 && fits(writer, run.start, end)) {
    writer.takeBackTo(run.piece);
    writer.add(run.start, end, 'json');
    return;
  }
  const isLong = end - member > sizes.paragraph;
  level.run = isLong ? undefined : { piece: writer.count, start: member };
  if (isLong) writer.addWindows(member, end, { escaped: true });
  else writer.add(member, end, 'json');
}

/** Whether text.slice(start, end) is short enough for one piece. Indentation does not count, up to as much again. */
function fits({ text }: PieceWriter, start: number, end: number, most: number = sizes.line): boolean {
  return end - start <= 2 * most && text.slice(start, end).replace(/\n\s*/g, '').length <= most;
}

/** The first character that is not white space as JSON allows it between tokens: a space, a tab or a line break. */
function afterBlanks(text: string, start: number, limit: number): number {
  let at = start;
  for (let code = text.charCodeAt(at); at < limit; code = text.charCodeAt(at)) {
    if (code !== char.space && (code < char.tab || code > char.carriageReturn)) break;
    at += 1;
  }
  return at;
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
  const word = constants.find((one) => text.startsWith(one, start));
  return word === undefined ? undefined : Math.min(start + word.length, limit);
}

const constants = ['null', 'true', 'false', 'None', 'True', 'False', 'NaN'];
