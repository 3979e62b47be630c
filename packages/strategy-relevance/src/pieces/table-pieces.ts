import { isBlankLine, type Lines, lineText } from './lines.js';
import { addLong } from './long-lines.js';
import type { Piece } from './piece.js';

const markdownRule = /^\|?\s*:?-{2,}:?\s*(?:\|\s*:?-+:?\s*)*\|?$/;
/** A line of dashes under the names of columns, as of psql and of many command-line tools. */
const columnRule = /^(?:-{2,}|={2,})(?:(?:[+|]| +)(?:-{2,}|={2,}))+$/;
/** A rule is looked at as a whole: one that is cut would end as no rule does. In UTF-16 units. */
const longestRule = 20_000;
const gaps = /(?<! ) {2,}(?=\S)/g;
const ruleWeight = 0.05;

/**
 * Adds the rows of the table whose header is the line, under that header; returns how many lines it took, 0 for none.
 * Tables by delimiters or gaps are looked for only where a block of lines begins, as `isBlockStart` says.
 */
export function addTable(pieces: Piece[], lines: Lines, line: number, isBlockStart: boolean): number {
  const next = line + 1;
  if (next >= lines.starts.length || isBlankLine(lines, next)) return 0;
  const { text } = lines;
  const nextCode = text.charCodeAt(lines.firsts[next] as number);
  const code = text.charCodeAt(lines.firsts[line] as number);
  if (code === 124 && nextCode === 124 && markdownRule.test(lineText(lines, next, longestRule)))
    return addRows(pieces, lines, line, 2, (at) => text.charCodeAt(lines.firsts[at] as number) === 124);
  if (
    (nextCode === 45 || nextCode === 61) &&
    code !== nextCode &&
    columnRule.test(lineText(lines, next, longestRule))
  )
    return addRows(pieces, lines, line, 2, (at) => /\S(?: {2,}| ?[|│] ?)\S/.test(lineText(lines, at, 2000)));
  if (!isBlockStart) return 0;
  const header = lineText(lines, line, 2000);
  if (namesColumns(header) && gapsIn(lineText(lines, next, 2000)) > 1)
    return addRows(pieces, lines, line, 1, (at) => gapsIn(lineText(lines, at, 2000)) > 0);
  for (const delimiter of [',', '\t', ';']) {
    const columns = count(header, delimiter);
    if (columns === 0 || (columns === 1 && delimiter !== '\t') || !isHeader(header, delimiter)) continue;
    const fits = (at: number) => isRow(lineText(lines, at, 2000), delimiter, columns);
    if (line + 2 < lines.starts.length && fits(next) && fits(line + 2))
      return addRows(pieces, lines, line, 1, fits);
  }
  return 0;
}

/** Adds the header, its rule if it has one, and the rows from `line + height` on for which it holds. */
function addRows(
  pieces: Piece[],
  lines: Lines,
  line: number,
  height: number,
  isRowAt: (line: number) => boolean,
): number {
  const header = pieces.length;
  let at = line;
  for (; at < lines.starts.length && !isBlankLine(lines, at); at++) {
    if (at >= line + height && !isRowAt(at)) break;
    const isRule = height > 1 && at === line + 1;
    const start = lines.starts[at] as number;
    const under = at === line ? undefined : header;
    addLong(pieces, lines.text, start, lines.ends[at] as number, 'row', isRule ? ruleWeight : 1, under);
  }
  return at - line;
}

/** Whether a line has at least three names in capitals with gaps between them, as of `docker ps`, and no sentence. */
function namesColumns(line: string): boolean {
  if (!/^[A-Z%#][^.;{}]*$/.test(line)) return false;
  const names = [...line.matchAll(/(?<! ) {2,}(?=[A-Z%#])/g)];
  return names.length >= 2 && !line.slice(0, names[0]?.index).includes('(');
}

function gapsIn(line: string): number {
  return line.match(gaps)?.length ?? 0;
}

function count(line: string, delimiter: string): number {
  let found = 0;
  for (let at = line.indexOf(delimiter); at >= 0; at = line.indexOf(delimiter, at + 1)) found++;
  return found;
}

/** Whether a line can name columns: no empty cell, no number, nothing that looks like code or a sentence. */
function isHeader(line: string, delimiter: string): boolean {
  return line
    .split(delimiter)
    .every((cell) => /^"?[\p{L}_#][\p{L}\p{N}_ .%/#:()-]{0,60}"?$/u.test(cell) && !/[.:]"?$/.test(cell));
}

function isRow(line: string, delimiter: string, columns: number): boolean {
  const found = count(line, delimiter);
  return found === columns || (found > columns && line.includes('"'));
}
