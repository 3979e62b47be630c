import * as char from '../characters.js';
import { isBlankLine, type Lines, lineStartsWith, lineText } from './lines.js';
import type { Piece, Taken } from './piece.js';
import type { PieceWriter } from './piece-writer.js';
import {
  detailWeight,
  foreignFrameWeight,
  longestFrame,
  mostPythonLines,
  mostTraceHeadPieces,
  ownFrameWeight,
} from './weights.js';

const foreign =
  /^\.\.\. |node_modules|\bnode:|\(internal\/|\(native\)|<anonymous>\)$|(?:site|dist)-packages|\/lib\/python|<frozen |^at (?:java|javax|jdk|sun|scala|kotlin|System|Microsoft|org\.(?:junit|springframework|apache|gradle))\.|\/usr\/(?:local\/)?(?:lib|go)\/|\/go\/pkg\/mod\/|\/rustc\/|\.cargo\/registry|\b(?:core|std|alloc|tokio)::|^(?:runtime|testing|net\/http)\./;
const jsFrame = /^at (?:.*[(:]|native|async )/;
const goPlace = /^\S.*\.go:\d+/;
const rustFrame = /^\d+: +\S/;
const pythonFrame = /^File ".*", line \d+/;

/** Adds the stack frames that begin on the line. They depend on the first line of the trace. */
export function addFrames(writer: PieceWriter, lines: Lines, line: number): Taken | undefined {
  let height = frameHeight(lines, line, false);
  if (height === 0) return undefined;
  const under = headOf(writer, lines, line);
  let at = line;
  for (; height > 0; height = frameHeight(lines, at, true)) {
    addFrame(writer, lines, at, height, under);
    at += height;
  }
  return { lines: at - line };
}

/** The number of lines of the frame that begins on the line; 0 if none does. Some lines are frames only if they follow another frame. */
function frameHeight(lines: Lines, line: number, isInTrace: boolean): number {
  if (line >= lines.starts.length || isBlankLine(lines, line)) return 0;
  const { text } = lines;
  const first = lines.firsts[line] as number;
  const isIndented = first > (lines.starts[line] as number);
  const code = text.charCodeAt(first);
  if (code === char.smallA && text.startsWith('at ', first))
    return jsFrame.test(lineText(lines, line)) ? 1 : 0;
  if (code === char.capitalF && isIndented && pythonFrame.test(lineText(lines, line)))
    return pythonHeight(lines, line);
  if (code === char.dot && /^\.\.\. \d+ more/.test(lineText(lines, line))) return 1;
  if (char.isDigit(code) && isIndented && rustFrame.test(lineText(lines, line, 40))) {
    if (lineStartsWith(lines, line + 1, 'at ')) return 2;
    return isInTrace ? 1 : 0;
  }
  return !isIndented && isGoFrame(lines, line) ? 2 : 0;
}

/** Whether the line is a call and the next line, indented by a tab, is its location. */
function isGoFrame(lines: Lines, line: number): boolean {
  const { text } = lines;
  const next = line + 1;
  return (
    next < lines.starts.length &&
    text.charCodeAt(lines.starts[next] as number) === char.tab &&
    goPlace.test(lineText(lines, next)) &&
    text.charCodeAt((lines.ends[line] as number) - 1) === char.closeParenthesis
  );
}

/** The number of lines of a Python frame, with the code and marks below it, which are indented further. */
function pythonHeight(lines: Lines, line: number): number {
  const indent = (lines.firsts[line] as number) - (lines.starts[line] as number);
  let at = line + 1;
  while (at < lines.starts.length && at < line + mostPythonLines && !isBlankLine(lines, at)) {
    if ((lines.firsts[at] as number) - (lines.starts[at] as number) <= indent) break;
    at++;
  }
  return at - line;
}

function addFrame(
  writer: PieceWriter,
  lines: Lines,
  line: number,
  height: number,
  under: number | undefined,
): void {
  const { text } = lines;
  const start = lines.starts[line] as number;
  const end = lines.ends[line + height - 1] as number;
  const first = lines.firsts[line] as number;
  const weight = foreign.test(text.slice(first, Math.min(end, first + longestFrame)))
    ? foreignFrameWeight
    : ownFrameWeight;
  const form = { kind: 'frame', weight, under } as const;
  if (end - start <= longestFrame) writer.add(start, end, form);
  else
    for (let at = line; at < line + height; at++)
      writer.addLong(lines.starts[at] as number, lines.ends[at] as number, form);
}

/** The piece with the first line of a trace: the nearest failure above with no blank line in between, otherwise the line above. */
function headOf(writer: PieceWriter, lines: Lines, line: number): number | undefined {
  const { pieces } = writer;
  const last = pieces.length - 1;
  const above = pieces[last];
  if (!above || line === 0 || above.end !== lines.ends[line - 1]) return undefined;
  for (let at = last; at >= 0 && at > last - mostTraceHeadPieces; at--) {
    const piece = pieces[at] as Piece;
    if (piece.kind === 'failure') return at;
    if (piece.kind === 'frame') return piece.under;
    if (at < last && hasBlankLine(lines.text, piece.end, (pieces[at + 1] as Piece).start)) break;
  }
  if (above.kind === 'line')
    writer.reshape(last, { ...above, kind: 'failure', weight: Math.max(above.weight, detailWeight) });
  return last;
}

function hasBlankLine(text: string, start: number, end: number): boolean {
  return text.slice(start, Math.min(end, start + 200)).split('\n').length > 2;
}
