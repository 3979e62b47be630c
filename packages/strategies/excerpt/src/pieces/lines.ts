import type { Steps } from '@ctx/core';
import * as char from '../characters.js';
import { stepCharacters } from './piece.js';

/** The lines of a text by their offsets, in UTF-16 units. */
export interface Lines {
  readonly text: string;
  readonly starts: number[];
  /** The end of each line, before its line break and any white space at its end. */
  readonly ends: number[];
  /** The first character of each line that is not white space; for a blank line, its end. */
  readonly firsts: number[];
}

/** Divides a text at line feeds and at carriage returns, which progress bars use to overwrite themselves. */
export function* linesOf(text: string): Steps<Lines> {
  const lines: Lines = { text, starts: [], ends: [], firsts: [] };
  // Decided before the loop: in it, V8 would search the whole text again for every line.
  const add = text.includes('\r') ? addAtCarriages : addLine;
  let pause = stepCharacters;
  for (let start = 0; start < text.length; ) {
    if (start > pause) {
      yield;
      pause = start + stepCharacters;
    }
    let end = text.indexOf('\n', start);
    if (end < 0) end = text.length;
    add(lines, start, end);
    start = end + 1;
  }
  return lines;
}

function addAtCarriages(lines: Lines, start: number, end: number): void {
  let from = start;
  for (let at = start; at < end; at++) {
    if (lines.text.charCodeAt(at) !== char.carriageReturn) continue;
    addLine(lines, from, at);
    from = at + 1;
  }
  if (from < end || from === start) addLine(lines, from, end);
}

function addLine(lines: Lines, start: number, end: number): void {
  const { text } = lines;
  let first = start;
  while (first < end && isBlank(text.charCodeAt(first))) first++;
  let last = end;
  while (last > first && isBlank(text.charCodeAt(last - 1))) last--;
  lines.starts.push(start);
  lines.firsts.push(first === end ? last : first);
  lines.ends.push(last);
}

/** Moves the start of a line forward to `start`. */
export function cutLineStart(lines: Lines, line: number, start: number): void {
  const end = lines.ends[line] as number;
  let first = Math.min(start, end);
  while (first < end && isBlank(lines.text.charCodeAt(first))) first++;
  lines.starts[line] = Math.min(start, end);
  lines.firsts[line] = first;
}

export function isBlankLine(lines: Lines, line: number): boolean {
  return lines.firsts[line] === lines.ends[line];
}

/** Whether this is white space as JSON allows it between tokens: a space, a tab or a line break. */
export function isAsciiBlank(code: number): boolean {
  return code === char.space || (code >= char.tab && code <= char.carriageReturn);
}

/** Whether this is white space as `\s` matches it, up to U+00A0. Rarer kinds count as text. */
export function isBlank(code: number): boolean {
  return isAsciiBlank(code) || code === char.noBreakSpace;
}
