import { isBlank } from './lines.js';
import type { Piece } from './piece.js';

/** Longest line that is a piece of its own, in UTF-16 units. */
const longestLine = 400;
/** Longest part of a longer line. */
const longestWindow = 200;
/** Sentences shorter than this share a piece with the next one. */
const shortestSentence = 60;
/** Worth of a part of a blob: base64, hexadecimal digits, minified data without words. */
const blobWeight = 0.03;

/** Adds text.slice(start, end) as one piece, or as its sentences or windows where it is long. */
export function addLong(
  pieces: Piece[],
  text: string,
  start: number,
  end: number,
  kind: Piece['kind'] = 'line',
  weight = 1,
  under?: number,
): void {
  if (end - start <= longestLine) pieces.push(pieceOf(start, end, kind, weight, under));
  else if (isProse(text, start, end)) addSentences(pieces, text, start, end, kind, weight, under);
  else addWindows(pieces, text, start, end, weight, under);
}

export function pieceOf(
  start: number,
  end: number,
  kind: Piece['kind'],
  weight: number,
  under?: number,
): Piece {
  // Written out, since a spread is slow where a text has many pieces.
  return under === undefined ? { start, end, kind, weight } : { start, end, kind, weight, under };
}

/** Adds windows that end at a word's end where there is one; with `escaped` never inside an escape such as `\n`. */
export function addWindows(
  pieces: Piece[],
  text: string,
  start: number,
  end: number,
  weight = 1,
  under?: number,
  escaped = false,
): void {
  for (let at = start; at < end; ) {
    while (at < end && isBlank(text.charCodeAt(at))) at++;
    if (at === end) return;
    const cut = end - at <= longestWindow ? end : windowEnd(text, at, at + longestWindow, escaped);
    pieces.push(pieceOf(at, cut, 'window', isBlob(text, at, cut) ? blobWeight : weight, under));
    at = cut;
  }
}

/** Where a window from `start` to at most `end` ends best: after a line's end, else a word's, in its second half. */
function windowEnd(text: string, start: number, end: number, escaped: boolean): number {
  const half = start + ((end - start) >> 1);
  if (escaped) {
    const lineEnd = half + text.slice(half, end).lastIndexOf('\\n');
    if (lineEnd >= half && !isEscapedAt(text, lineEnd, start)) return lineEnd + 2;
  }
  for (let at = end; at > half; at--) {
    const code = text.charCodeAt(at - 1);
    if (code === 32 || code === 59 || code === 44 || code === 125 || code === 9) return at;
  }
  return escaped ? beforeEscape(text, start, end) : beforePair(text, end);
}

/** Moves a cut before a surrogate pair that it would split. */
function beforePair(text: string, at: number): number {
  const isLow = (text.charCodeAt(at) & 0xfc00) === 0xdc00;
  return isLow && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800 ? at - 1 : at;
}

function beforeEscape(text: string, start: number, end: number): number {
  const near = Math.max(start, end - 5);
  const slash = near + text.slice(near, end).lastIndexOf('\\');
  if (slash >= near && slash > start && !isEscapedAt(text, slash, start)) {
    const length = text.charAt(slash + 1) === 'u' ? 6 : 2;
    if (slash + length > end) return slash;
  }
  return beforePair(text, end);
}

function isEscapedAt(text: string, at: number, start: number): boolean {
  let before = at;
  while (before > start && text.charCodeAt(before - 1) === 92) before--;
  return (at - before) % 2 === 1;
}

/** Whether a window is a run of base64, hexadecimal digits or the like: one word of many capitals and digits, or of one letter. */
function isBlob(text: string, start: number, end: number): boolean {
  if (end - start < 80) return false;
  let run = 0;
  let longest = 0;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    const isData =
      (code >= 97 && code <= 122) ||
      (code >= 65 && code <= 90) ||
      (code >= 47 && code <= 57) ||
      code === 43 ||
      code === 61 ||
      code === 45 ||
      code === 95;
    run = isData ? run + 1 : 0;
    if (run > longest) longest = run;
  }
  return longest > 76;
}

/** Whether a long line is written in words with spaces and sentences, judged by its beginning. */
function isProse(text: string, start: number, end: number): boolean {
  const last = Math.min(end, start + 2000);
  let spaces = 0;
  let signs = 0;
  let wide = 0;
  for (let at = start; at < last; at++) {
    const code = text.charCodeAt(at);
    if (code === 32) spaces++;
    else if (code > 0x2e80 && code < 0xd800) wide++;
    else if ((code >= 91 && code <= 96) || (code >= 123 && code <= 126) || (code >= 59 && code <= 62))
      signs++;
  }
  const length = last - start;
  return wide * 2 > length || (spaces * 12 > length && signs * 20 < length);
}

function addSentences(
  pieces: Piece[],
  text: string,
  start: number,
  end: number,
  kind: Piece['kind'],
  weight: number,
  under?: number,
): void {
  let from = start;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    const isWide = code === 0x3002 || code === 0xff01 || code === 0xff1f;
    if (!isWide && code !== 46 && code !== 33 && code !== 63) continue;
    if (!isWide && at + 1 < end && text.charCodeAt(at + 1) !== 32) continue;
    if (at + 1 - from < shortestSentence && at + 1 < end) continue;
    addSentence(pieces, text, from, at + 1, kind, weight, under);
    from = at + 1;
    while (from < end && isBlank(text.charCodeAt(from))) from++;
    at = from - 1;
  }
  if (from < end) addSentence(pieces, text, from, end, kind, weight, under);
}

function addSentence(
  pieces: Piece[],
  text: string,
  start: number,
  end: number,
  kind: Piece['kind'],
  weight: number,
  under?: number,
): void {
  if (end - start <= longestLine) pieces.push(pieceOf(start, end, kind, weight, under));
  else addWindows(pieces, text, start, end, weight, under);
}
