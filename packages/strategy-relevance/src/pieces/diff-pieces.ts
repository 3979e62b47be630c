import { isBlankLine, type Lines, lineText } from './lines.js';
import { addLong, pieceOf } from './long-lines.js';
import type { Piece } from './piece.js';

const headerLine =
  /^(?:diff |index [\da-f]|--- |\+\+\+ |(?:old|new|deleted) (?:file )?mode|(?:similarity|dissimilarity) index|rename |copy |Binary files |Index: |={20})/;
const hunkHeader = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;
const longestHeader = 600;
const changedWeight = 1.2;
const contextWeight = 0.5;

/** Adds the files and hunks of the unified diff that begins at the line; returns how many lines it took, 0 for none. */
export function addDiff(pieces: Piece[], lines: Lines, line: number): number {
  if (!beginsDiff(lines, line)) return 0;
  let at = line;
  let file: number | undefined;
  while (at < lines.starts.length) {
    if (hunkHeader.test(lineText(lines, at))) at = addHunk(pieces, lines, at, file);
    else if (at === line || beginsDiff(lines, at)) {
      const next = endOfHeader(lines, at);
      file = addHeader(pieces, lines, at, next);
      at = next;
    } else break;
  }
  return at - line;
}

function beginsDiff(lines: Lines, line: number): boolean {
  const { text } = lines;
  const start = lines.starts[line] as number;
  if (start !== lines.firsts[line]) return false;
  const code = text.charCodeAt(start);
  if (code === 64) return hunkHeader.test(lineText(lines, line));
  if (code === 100) return text.startsWith('diff --git ', start) || text.startsWith('diff -', start);
  return (
    code === 45 && text.startsWith('--- ', start) && text.startsWith('+++ ', lines.starts[line + 1] ?? start)
  );
}

function endOfHeader(lines: Lines, line: number): number {
  let at = line + 1;
  while (at < lines.starts.length && at - line < 12 && headerLine.test(lineText(lines, at, 40))) {
    if (lines.text.startsWith('diff ', lines.firsts[at])) break;
    at++;
  }
  return at;
}

function addHeader(pieces: Piece[], lines: Lines, line: number, next: number): number {
  const start = lines.starts[line] as number;
  const end = lines.ends[next - 1] as number;
  const index = pieces.length;
  if (end - start <= longestHeader) pieces.push(pieceOf(start, end, 'hunk', 1));
  else
    for (let at = line; at < next; at++)
      if (!isBlankLine(lines, at))
        addLong(pieces, lines.text, lines.starts[at] as number, lines.ends[at] as number, 'hunk');
  return index;
}

/** Adds a hunk, whose header says how many lines it has; returns the line after it. */
function addHunk(pieces: Piece[], lines: Lines, line: number, file: number | undefined): number {
  const header = pieces.length;
  const { text } = lines;
  addLong(pieces, text, lines.starts[line] as number, lines.ends[line] as number, 'hunk', 0.8, file);
  const counts = hunkHeader.exec(lineText(lines, line));
  let removed = Number(counts?.[1] ?? 1);
  let added = Number(counts?.[2] ?? 1);
  let at = line + 1;
  for (; at < lines.starts.length && (removed > 0 || added > 0); at++) {
    const start = lines.starts[at] as number;
    const code = text.charCodeAt(start);
    if (isBlankLine(lines, at)) {
      removed--;
      added--;
      continue;
    }
    if (code === 43) added--;
    else if (code === 45) removed--;
    else if (code === 32 || code === 9) {
      removed--;
      added--;
    } else if (code !== 92) break;
    const weight = code === 43 || code === 45 ? changedWeight : contextWeight;
    addLong(pieces, text, start, lines.ends[at] as number, 'hunk', weight, header);
  }
  return at;
}
