import * as char from '../characters.js';
import { isBlankLine, type Lines, lineText } from './lines.js';
import type { Taken } from './piece.js';
import type { PieceWriter } from './piece-writer.js';
import {
  changedLineWeight,
  contextLineWeight,
  hunkHeaderWeight,
  longestDiffHeader,
  mostDiffHeaderLines,
} from './weights.js';

const headerLine =
  /^(?:diff |index [\da-f]|--- |\+\+\+ |(?:old|new|deleted) (?:file )?mode|(?:similarity|dissimilarity) index|rename |copy |Binary files |Index: |={20})/;
const hunkHeader = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

/** Adds the files and hunks of the unified diff that begins on the line. */
export function addDiff(writer: PieceWriter, lines: Lines, line: number): Taken | undefined {
  if (!beginsDiff(lines, line)) return undefined;
  let at = line;
  let file: number | undefined;
  while (at < lines.starts.length) {
    if (hunkHeader.test(lineText(lines, at))) at = addHunk(writer, lines, at, file);
    else if (at === line || beginsDiff(lines, at)) {
      const next = endOfHeader(lines, at);
      file = addHeader(writer, lines, at, next);
      at = next;
    } else break;
  }
  return { lines: at - line };
}

function beginsDiff(lines: Lines, line: number): boolean {
  const { text } = lines;
  const start = lines.starts[line] as number;
  if (start !== lines.firsts[line]) return false;
  const code = text.charCodeAt(start);
  if (code === char.at) return hunkHeader.test(lineText(lines, line));
  if (code === char.smallD) return text.startsWith('diff --git ', start) || text.startsWith('diff -', start);
  return (
    code === char.minus &&
    text.startsWith('--- ', start) &&
    text.startsWith('+++ ', lines.starts[line + 1] ?? start)
  );
}

/** The line after the file header that begins on the line. */
function endOfHeader(lines: Lines, line: number): number {
  let at = line + 1;
  while (
    at < lines.starts.length &&
    at - line < mostDiffHeaderLines &&
    headerLine.test(lineText(lines, at, 40))
  ) {
    if (lines.text.startsWith('diff ', lines.firsts[at])) break;
    at++;
  }
  return at;
}

/** Adds the header of a file and returns the index of its first piece. */
function addHeader(writer: PieceWriter, lines: Lines, line: number, next: number): number {
  const start = lines.starts[line] as number;
  const end = lines.ends[next - 1] as number;
  const index = writer.count;
  if (end - start <= longestDiffHeader) writer.add(start, end, { kind: 'hunk', weight: 1 });
  else
    for (let at = line; at < next; at++)
      if (!isBlankLine(lines, at))
        writer.addLong(lines.starts[at] as number, lines.ends[at] as number, { kind: 'hunk', weight: 1 });
  return index;
}

/** Adds a hunk and returns the line after it. The hunk's header says how many lines it has. */
function addHunk(writer: PieceWriter, lines: Lines, line: number, file: number | undefined): number {
  const under = writer.count;
  const addLine = (at: number, weight: number, above: number | undefined) =>
    writer.addLong(lines.starts[at] as number, lines.ends[at] as number, {
      kind: 'hunk',
      weight,
      under: above,
    });
  addLine(line, hunkHeaderWeight, file);
  const counts = hunkHeader.exec(lineText(lines, line));
  let removed = Number(counts?.[1] ?? 1);
  let added = Number(counts?.[2] ?? 1);
  let at = line + 1;
  for (; at < lines.starts.length && (removed > 0 || added > 0); at++) {
    const mark = isBlankLine(lines, at)
      ? 'context'
      : markOf(lines.text.charCodeAt(lines.starts[at] as number));
    if (mark === undefined) break;
    if (mark === 'removed' || mark === 'context') removed--;
    if (mark === 'added' || mark === 'context') added--;
    if (isBlankLine(lines, at)) continue;
    addLine(at, mark === 'added' || mark === 'removed' ? changedLineWeight : contextLineWeight, under);
  }
  return at;
}

/** What the first character of a line in a hunk means; undefined if the hunk ends there. A backslash begins a note. */
function markOf(code: number): 'added' | 'removed' | 'context' | 'note' | undefined {
  if (code === char.plus) return 'added';
  if (code === char.minus) return 'removed';
  if (code === char.space || code === char.tab) return 'context';
  return code === char.backslash ? 'note' : undefined;
}
