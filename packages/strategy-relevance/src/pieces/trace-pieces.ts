import { isBlankLine, type Lines, lineStartsWith, lineText } from './lines.js';
import { addLong, pieceOf } from './long-lines.js';
import type { Piece } from './piece.js';

const foreign =
  /^\.\.\. |node_modules|\bnode:|\(internal\/|\(native\)|<anonymous>\)$|(?:site|dist)-packages|\/lib\/python|<frozen |^at (?:java|javax|jdk|sun|scala|kotlin|System|Microsoft|org\.(?:junit|springframework|apache|gradle))\.|\/usr\/(?:local\/)?(?:lib|go)\/|\/go\/pkg\/mod\/|\/rustc\/|\.cargo\/registry|\b(?:core|std|alloc|tokio)::|^(?:runtime|testing|net\/http)\./;
const jsFrame = /^at (?:.*[(:]|native|async )/;
const goPlace = /^\S.*\.go:\d+/;
const rustFrame = /^\d+: +\S/;
const pythonFrame = /^File ".*", line \d+/;
const ownWeight = 1.2;
const foreignWeight = 0.15;
/** A frame of several lines longer than this, in UTF-16 units, is divided. */
const longestFrame = 400;
/** How far up from its first frame the first line of a trace may stand, in pieces. */
const longestMessage = 12;

/** Adds the frames of a stack trace that begin at the line, under its first line; returns how many lines, 0 for none. */
export function addFrames(pieces: Piece[], lines: Lines, line: number): number {
  let height = frameHeight(lines, line, false);
  if (height === 0) return 0;
  const under = headOf(pieces, lines, line);
  let at = line;
  for (; height > 0; height = frameHeight(lines, at, true)) {
    addFrame(pieces, lines, at, height, under);
    at += height;
  }
  return at - line;
}

/** How many lines the frame at the line has; 0 if it is none. Some lines are frames only after another frame. */
function frameHeight(lines: Lines, line: number, isInTrace: boolean): number {
  if (line >= lines.starts.length || isBlankLine(lines, line)) return 0;
  const { text } = lines;
  const first = lines.firsts[line] as number;
  const isIndented = first > (lines.starts[line] as number);
  const code = text.charCodeAt(first);
  if (code === 97 && text.startsWith('at ', first)) return jsFrame.test(lineText(lines, line)) ? 1 : 0;
  if (code === 70 && isIndented && pythonFrame.test(lineText(lines, line))) return pythonHeight(lines, line);
  if (code === 46 && /^\.\.\. \d+ more/.test(lineText(lines, line))) return 1;
  if (code >= 48 && code <= 57 && isIndented && rustFrame.test(lineText(lines, line, 40))) {
    if (lineStartsWith(lines, line + 1, 'at ')) return 2;
    return isInTrace ? 1 : 0;
  }
  const next = line + 1;
  const isGo =
    !isIndented &&
    next < lines.starts.length &&
    text.charCodeAt(lines.starts[next] as number) === 9 &&
    goPlace.test(lineText(lines, next)) &&
    text.charCodeAt((lines.ends[line] as number) - 1) === 41;
  return isGo ? 2 : 0;
}

/** Lines of code and marks below a Python frame stand further right than it. */
function pythonHeight(lines: Lines, line: number): number {
  const indent = (lines.firsts[line] as number) - (lines.starts[line] as number);
  let at = line + 1;
  while (at < lines.starts.length && at < line + 4 && !isBlankLine(lines, at)) {
    if ((lines.firsts[at] as number) - (lines.starts[at] as number) <= indent) break;
    at++;
  }
  return at - line;
}

function addFrame(
  pieces: Piece[],
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
    ? foreignWeight
    : ownWeight;
  if (end - start <= longestFrame) pieces.push(pieceOf(start, end, 'frame', weight, under));
  else
    for (let at = line; at < line + height; at++)
      addLong(pieces, text, lines.starts[at] as number, lines.ends[at] as number, 'frame', weight, under);
}

/** The piece of the trace's first line: the nearest failure above without a blank line between, else the line above. */
function headOf(pieces: Piece[], lines: Lines, line: number): number | undefined {
  const last = pieces.length - 1;
  const above = pieces[last];
  if (!above || line === 0 || above.end !== lines.ends[line - 1]) return undefined;
  for (let at = last; at >= 0 && at > last - longestMessage; at--) {
    const piece = pieces[at] as Piece;
    if (piece.kind === 'failure') return at;
    if (piece.kind === 'frame') return piece.under;
    if (at < last && hasBlankLine(lines.text, piece.end, (pieces[at + 1] as Piece).start)) break;
  }
  if (above.kind === 'line')
    pieces[last] = { ...above, kind: 'failure', weight: Math.max(above.weight, 1.5) };
  return last;
}

function hasBlankLine(text: string, start: number, end: number): boolean {
  return text.slice(start, Math.min(end, start + 200)).split('\n').length > 2;
}
