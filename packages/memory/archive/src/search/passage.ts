import type { ArchiveEntry } from '@ctx/core';
import { digestOf } from '@ctx/core/kit';
import { corrupt } from '../archive-errors.js';
import type { Ref } from '../ref.js';
import type { IndexedPart, IndexedPassage, Passage, Terms } from '../store.js';
import { longestPath } from './filter.js';
import { termsOf } from './terms.js';

/** The order of passages in their conversation. */
export function byPlace(a: Passage, b: Passage): number {
  return a.message - b.message || a.part - b.part || a.passage - b.passage;
}

/** A part of a text: a paragraph, or some neighbouring lines. */
interface Piece {
  readonly text: string;
  /** Lines of the whole text, from 0. */
  readonly firstLine: number;
  readonly lastLine: number;
}

/** Characters. From here on a piece ends at the next empty line, or at a line that is indented less. */
const enough = 100;
/** Characters, some 60 tokens. Larger ones bring more along that was not asked for, smaller ones more headings. */
const longest = 250;

/** Divides a text into pieces that, put together, are the text. Takes linear time. */
export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let piece = '';
  let firstLine = 0;
  let line = 0;
  const end = (lastLine: number) => {
    if (piece === '') return;
    pieces.push({ text: piece, firstLine, lastLine });
    piece = '';
  };
  for (let start = 0; start < text.length; line += 1) {
    const breakAt = text.indexOf('\n', start);
    const next = breakAt < 0 ? text.length : breakAt + 1;
    if (piece.length + next - start > longest) end(line - 1);
    if (piece === '') firstLine = line;
    while (next - start > longest) {
      const cut = cutBefore(text, start, start + longest);
      pieces.push({ text: text.slice(start, cut), firstLine: line, lastLine: line });
      start = cut;
    }
    piece += text.slice(start, next);
    if (piece.length >= enough && isBorder(text, start, next)) end(line);
    start = next;
  }
  end(line - 1);
  return pieces;
}

/** Whether a paragraph or a function ends with a line: it is empty, or what follows is not indented. */
function isBorder(text: string, start: number, next: number): boolean {
  const first = text.charAt(start);
  return first === '\n' || first === '\r' || (first === '}' && next - start < 4);
}

/** Where a line too long for a piece is cut: behind the last space, and never inside a pair of surrogates. */
function cutBefore(text: string, start: number, end: number): number {
  // In the piece only: a search from its end would go back to the beginning of the text.
  const space = text.slice(start, end).lastIndexOf(' ');
  if (space > longest / 2) return start + space + 1;
  const code = text.charCodeAt(end - 1);
  return code >= 0xd800 && code <= 0xdbff ? end - 1 : end;
}

/** A passage with the terms by which it is found: those of its text, and those of the heading that it stands under. */
export function indexed(passage: Passage): IndexedPassage {
  return { passage, terms: both(termsOf(passage.heading), termsOf(passage.text)) };
}

/** Characters. A heading stands with each passage; the rest of a longer one is in the text of its call. */
const longestHeading = 200;

/** Divides an entry into passages. */
export function indexedPart(entry: ArchiveEntry, tokensOf: (text: string) => number): IndexedPart {
  const { message, part, line, kind, text, time } = entry;
  const heading = entry.heading.slice(0, longestHeading);
  const path = (entry.path ?? '').length > longestPath ? undefined : entry.path;
  const about = { message, part, kind, heading, path, time };
  const headingTerms = termsOf(heading);
  const passages = piecesOf(text).map((piece, passage) => ({
    passage: {
      ...about,
      passage,
      firstLine: line + piece.firstLine,
      lastLine: line + piece.lastLine,
      text: piece.text,
      tokens: tokensOf(piece.text),
    },
    terms: both(headingTerms, termsOf(piece.text)),
  }));
  return {
    message,
    part,
    digest: digestOf(digestOf(0, `${kind}\n${heading}\n${path ?? ''}`), text),
    passages,
  };
}

function both(one: Terms, other: Terms): Terms {
  return { names: [...one.names, ...other.names], words: [...one.words, ...other.words] };
}

/** What of the passages of a message stands under a handle, in order. */
export function underRef(
  passages: readonly Passage[],
  { lines }: Ref,
  tokensOf: (text: string) => number,
): Passage[] {
  if (lines === undefined) return [...passages];
  const { first, last } = lines;
  return passages.flatMap((passage) => {
    if (passage.lastLine < first || passage.firstLine > last) return [];
    if (passage.firstLine >= first && passage.lastLine <= last) return [passage];
    const firstLine = Math.max(first, passage.firstLine);
    const lastLine = Math.min(last, passage.lastLine);
    const text = linesIn(passage, firstLine, lastLine);
    return [{ ...passage, firstLine, lastLine, text, tokens: tokensOf(text) }];
  });
}

function linesIn({ text, firstLine: start }: Passage, first: number, last: number): string {
  const lines = text.split(/(?<=\n)/);
  return lines.slice(first - start, last - start + 1).join('');
}

/**
 * Reads a passage that a database keeps as JSON.
 * @throws CtxError `archive-corrupt`
 */
export function passageOf(data: unknown): Passage {
  try {
    const { path, ...passage } = JSON.parse(String(data)) as Passage;
    return { ...passage, path };
  } catch (error) {
    throw corrupt('A passage in the archive cannot be read', error);
  }
}
