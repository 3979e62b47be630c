import type { Piece } from './pieces/piece-writer.js';
import { sizes, usualForm } from './weights.js';

/** The number that a tool that reads files puts before each line. */
const lineNumber = /^\s*\d{1,7}(?:→|\t|: ?|\| ?|- )/;

export function withoutNumber(line: string): string {
  return line.replace(lineNumber, '');
}
/** Lines that may stand between two of a run: the members of records, and a compiler's lines on each package, alternate. A limit. */
const gap = 8;

/** UTF-16 units of a beginning that lines share, and of a line that says nothing if it stands in the same text before. A limit. */
const shortest = 10;
/** Numbers in the beginning of a line that is coordinates, as of a drawing. A limit. */
const mostNumbers = 20;

/** Lines that follow each other and are alike. */
interface Run {
  last: number;
  lines: number[];
}

/**
 * For each piece, whether it is in a line that is one of many alike: of the same shape, so that they differ in words and numbers only, or of
 * the same beginning. Listings, progress, logs, style sheets and lists of packages are such lines. The first two of a run and its last one
 * are not counted.
 */
export function bulkOf(text: string, pieces: readonly Piece[]): readonly boolean[] {
  if (pieces.length < usualForm) return pieces.map(() => false);
  const lines = linesOf(text);
  const isBulk = new Uint8Array(lines.length);
  const runs = { shape: new Map<string, Run>(), start: new Map<string, Run>() };
  const shown = new Set<string>();
  for (const [at, line] of lines.entries()) {
    const said = text.slice(line.start, Math.min(line.end, line.start + sizes.line)).replace(lineNumber, '');
    const start = said.trimStart().slice(0, shortest);
    // What a program says again, such as the same warning for each file.
    if (said.trim().length >= shortest && shown.has(said.trim())) isBulk[at] = 1;
    shown.add(said.trim());
    extend(runs.shape, shapeOf(said), at, isBulk);
    if (
      said.length >= sizes.name &&
      (!/\p{L}{4}/u.test(said) || (said.match(/\d+/g)?.length ?? 0) >= mostNumbers)
    )
      isBulk[at] = 1;
    if (/\p{L}{4}/u.test(start)) extend(runs.start, start, at, isBulk);
  }
  for (const run of [...runs.shape.values(), ...runs.start.values()]) end(run, isBulk);
  let line = 0;
  return pieces.map((piece) => {
    while (line < lines.length - 1 && (lines[line]?.end ?? 0) < piece.start) line += 1;
    return isBulk[line] === 1;
  });
}

function extend(runs: Map<string, Run>, key: string, at: number, isBulk: Uint8Array): void {
  if (!key.includes('w') && !/\p{L}/u.test(key)) return;
  const run = runs.get(key);
  if (run !== undefined && at - run.last <= gap) {
    run.last = at;
    run.lines.push(at);
    return;
  }
  if (run !== undefined) end(run, isBulk);
  runs.set(key, { last: at, lines: [at] });
}

function end({ lines }: Run, isBulk: Uint8Array): void {
  if (lines.length < usualForm) return;
  for (const at of lines.slice(2, -1)) isBulk[at] = 1;
}

/** A line with a sign in place of each word and name. */
function shapeOf(line: string): string {
  return line
    .replace(/[\p{L}\p{N}_$@]+(?:[-./:\\][\p{L}\p{N}_$@]+)*/gu, 'w')
    .replace(/\s+/g, ' ')
    .trim();
}

function linesOf(text: string): { readonly start: number; readonly end: number }[] {
  const lines: { start: number; end: number }[] = [];
  for (let start = 0; start <= text.length; ) {
    const found = text.indexOf('\n', start);
    const end = found < 0 ? text.length : found;
    if (text.slice(start, Math.min(end, start + 200)).trim() !== '') lines.push({ start, end });
    start = end + 1;
  }
  return lines;
}
