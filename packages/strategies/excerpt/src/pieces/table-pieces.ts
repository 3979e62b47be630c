import * as char from '../characters.js';
import { isBlankLine, type Lines, lineText } from './lines.js';
import type { Taken } from './piece.js';
import type { PieceWriter } from './piece-writer.js';
import { longestRow, longestTableRule, tableRuleWeight } from './weights.js';

const markdownRule = /^\|?\s*:?-{2,}:?\s*(?:\|\s*:?-+:?\s*)*\|?$/;
/** A line of dashes under the column names, as psql and many command-line tools print it. */
const columnRule = /^(?:-{2,}|={2,})(?:(?:[+|]| +)(?:-{2,}|={2,}))+$/;
const columnGap = /\S(?: {2,}| ?[|│] ?)\S/;
const gaps = /(?<! ) {2,}(?=\S)/g;

/**
 * Adds the table whose header is on the line. Its rows depend on the header.
 * @param isBlockStart whether the line may be the header of a table without a rule, whose columns are separated by delimiters or gaps
 */
export function addTable(
  writer: PieceWriter,
  lines: Lines,
  line: number,
  isBlockStart: boolean,
): Taken | undefined {
  const next = line + 1;
  if (next >= lines.starts.length || isBlankLine(lines, next)) return undefined;
  return (
    addRuledTable(writer, lines, line) ??
    (isBlockStart ? addTableWithoutRule(writer, lines, line) : undefined)
  );
}

/** Adds a table with a rule under its header, as in Markdown or from a command-line tool. */
function addRuledTable(writer: PieceWriter, lines: Lines, line: number): Taken | undefined {
  const next = line + 1;
  const nextCode = firstCode(lines, next);
  const code = firstCode(lines, line);
  if (
    code === char.pipe &&
    nextCode === char.pipe &&
    markdownRule.test(lineText(lines, next, longestTableRule))
  )
    return addRows(writer, lines, line, 2, (at) => firstCode(lines, at) === char.pipe);
  if (
    (nextCode === char.minus || nextCode === char.equals) &&
    code !== nextCode &&
    columnRule.test(lineText(lines, next, longestTableRule))
  )
    return addRows(writer, lines, line, 2, (at) => columnGap.test(lineText(lines, at, longestRow)));
  return undefined;
}

/** Adds a table whose columns are separated by gaps or by a delimiter. */
function addTableWithoutRule(writer: PieceWriter, lines: Lines, line: number): Taken | undefined {
  const next = line + 1;
  const header = lineText(lines, line, longestRow);
  if (namesColumns(header) && gapsIn(lineText(lines, next, longestRow)) > 1)
    return addRows(writer, lines, line, 1, (at) => gapsIn(lineText(lines, at, longestRow)) > 0);
  for (const delimiter of [',', '\t', ';']) {
    const columns = count(header, delimiter);
    if (columns === 0 || (columns === 1 && delimiter !== '\t') || !isHeader(header, delimiter)) continue;
    const fits = (at: number) => isRow(lineText(lines, at, longestRow), delimiter, columns);
    if (line + 2 < lines.starts.length && fits(next) && fits(line + 2))
      return addRows(writer, lines, line, 1, fits);
  }
  return undefined;
}

function firstCode(lines: Lines, line: number): number {
  return lines.text.charCodeAt(lines.firsts[line] as number);
}

/** Adds a header of `height` lines and the rows that follow it. */
function addRows(
  writer: PieceWriter,
  lines: Lines,
  line: number,
  height: number,
  isRowAt: (line: number) => boolean,
): Taken {
  const header = writer.count;
  let at = line;
  for (; at < lines.starts.length && !isBlankLine(lines, at); at++) {
    if (at >= line + height && !isRowAt(at)) break;
    const isRule = height > 1 && at === line + 1;
    const under = at === line ? undefined : header;
    const form = { kind: 'row', weight: isRule ? tableRuleWeight : 1, under } as const;
    writer.addLong(lines.starts[at] as number, lines.ends[at] as number, form);
  }
  return { lines: at - line };
}

/** Whether a line has at least three capitalised names with gaps between them, like the header of `docker ps`. */
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

/** Whether a line can name columns: it has no empty cell, no number, and nothing that looks like code or a sentence. */
function isHeader(line: string, delimiter: string): boolean {
  return line
    .split(delimiter)
    .every((cell) => /^"?[\p{L}_#][\p{L}\p{N}_ .%/#:()-]{0,60}"?$/u.test(cell) && !/[.:]"?$/.test(cell));
}

function isRow(line: string, delimiter: string, columns: number): boolean {
  const found = count(line, delimiter);
  return found === columns || (found > columns && line.includes('"'));
}
