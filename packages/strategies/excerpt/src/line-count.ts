import * as char from './characters.js';
import { gapMark } from './unit-text.js';

/** The number of lines of a text that are not blank. */
export function linesIn(text: string): number {
  let lines = 0;
  for (let start = 0; start < text.length; ) {
    const end = lineEnd(text, start);
    if (hasText(text, start, end)) lines += 1;
    start = end + 1;
  }
  return lines;
}

/** The same without the lines that only say that something is skipped. */
export function linesShown(text: string): number {
  let lines = 0;
  for (let start = 0; start < text.length; ) {
    const end = lineEnd(text, start);
    const isMark = end - start === gapMark.length && text.startsWith(gapMark, start);
    if (!isMark && hasText(text, start, end)) lines += 1;
    start = end + 1;
  }
  return lines;
}

function lineEnd(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end < 0 ? text.length : end;
}

function hasText(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code > char.space && code < char.lastAscii) return true;
    if (code !== char.space && code !== char.tab) return text.slice(at, end).trim() !== '';
  }
  return false;
}
