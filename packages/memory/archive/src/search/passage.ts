import type { ArchiveEntry } from '@ctx/core';

/** Neighbouring lines of one part of a message: what is kept, and what is found. The passages of a part are all of its text. */
export interface Passage {
  readonly message: number;
  readonly part: number;
  /** Its position in the part, from 0. */
  readonly passage: number;
  /** Lines of the message, from 1. Passages cut from one long line have the same. */
  readonly firstLine: number;
  readonly lastLine: number;
  readonly kind: ArchiveEntry['kind'];
  readonly heading: string;
  readonly path: string | undefined;
  /** With the line break at its end, if it has one. */
  readonly text: string;
  readonly tokens: number;
  readonly time: number;
}

/** The order of passages in their conversation. */
export function byPlace(a: Passage, b: Passage): number {
  return a.message - b.message || a.part - b.part || a.passage - b.passage;
}

/** A part of a text: a paragraph, or some neighbouring lines. */
export interface Piece {
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
