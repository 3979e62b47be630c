import * as char from '../characters.js';
import { isBlank } from './lines.js';
import { proseSample, shortestSentence } from './weights.js';

/** A part of a text, by its offsets. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** Whether a long line is prose: words, spaces and sentences. Looks only at its beginning. */
export function isProse(text: string, start: number, end: number): boolean {
  const last = Math.min(end, start + proseSample);
  let spaces = 0;
  let signs = 0;
  let wide = 0;
  for (let at = start; at < last; at++) {
    const code = text.charCodeAt(at);
    // Added up without a branch: where the next space is, no processor can guess.
    if (code <= char.lastAscii) {
      spaces += isSpace[code] as number;
      signs += isSign[code] as number;
    } else if (code > char.cjkStart && code < char.surrogatesStart) wide++;
  }
  const length = last - start;
  return wide * 2 > length || (spaces * 12 > length && signs * 20 < length);
}

/** For each ASCII character, 1 if it is a space. */
const isSpace = Uint8Array.from({ length: 128 }, (_, code) => Number(code === char.space));
/** For each ASCII character, 1 if it is common in code and rare in prose. */
const isSign = Uint8Array.from({ length: 128 }, (_, code) =>
  Number(
    (code >= char.openBracket && code <= char.backtick) ||
      (code >= char.openBrace && code <= char.tilde) ||
      (code >= char.semicolon && code <= char.greaterThan),
  ),
);

/** A mark that ends a sentence. One of a Western script does so only before a space. */
const sentenceEnd = /[。！？]|[.!?](?= |$)/g;

/** The sentences of text.slice(start, end), in order. A short sentence is joined to the next one. */
export function sentencesOf(text: string, start: number, end: number): Span[] {
  const sentences: Span[] = [];
  let from = start;
  for (const { index } of text.slice(start, end).matchAll(sentenceEnd)) {
    const after = start + index + 1;
    if (after - from < shortestSentence && after < end) continue;
    sentences.push({ start: from, end: after });
    from = after;
    while (from < end && isBlank(text.charCodeAt(from))) from++;
  }
  if (from < end) sentences.push({ start: from, end });
  return sentences;
}
