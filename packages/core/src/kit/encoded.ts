import { pluralise } from './cut-text.js';

/** Characters of a run that can be nothing but encoded bytes: no path, hash, key or signature is as long. */
const shortest = 400;
/** A run, or a line of one. */
const runs = /[\w+/-]+={0,2}/g;
/** Characters of such a line at least: programs write 64 or 76. */
const shortestLine = 60;
/** What stands between two lines, also in the text of a JSON string. The `n` that follows there counts to the next line. */
const lineBreak = /^(?:\r?\n|(?:\\r)?\\)$/;
const lastLine = /^[A-Za-z\d+/]{1,59}={0,2}$/;
/** The beginning of a data URL, before its bytes. UTF-16 units. */
const dataUrl = /data:[\w.+/;=-]{1,200},$/;
/** The longest of them. UTF-16 units. */
const longestStart = 206;

/**
 * A text without the long runs of base64 or hexadecimal digits in it, each with a mark in its place: no model reads them, and they take more tokens than all else.
 * The text itself if it has none.
 */
export function withoutEncoded(text: string): string {
  if (text.length < shortest) return text;
  let rest = '';
  let done = 0;
  for (const [from, end] of runsIn(text)) {
    const before = text.slice(Math.max(done, from - longestStart), from);
    const start = from - (dataUrl.exec(before)?.[0].length ?? 0);
    const run = text.slice(from, end);
    if (end - from < shortest || !(start < from || isMixed(run))) continue;
    const form = hex.test(run) ? 'hexadecimal digits' : 'base64';
    rest += `${text.slice(done, start)}[… ${pluralise(end - start, 'character')} of ${form} left out …]`;
    done = end;
  }
  return done === 0 ? text : rest + text.slice(done);
}

function runsIn(text: string): [start: number, end: number][] {
  const found: [number, number][] = [];
  let lines = 0;
  for (const { 0: run, index } of text.matchAll(runs)) {
    if (run.length < shortestLine) continue;
    const last = found.at(-1);
    const goesOn = last !== undefined && lineBreak.test(text.slice(last[1], index));
    lines = goesOn ? lines + 1 : 1;
    if (goesOn) last[1] = index + run.length;
    else found.push([index, index + run.length]);
    const next = text.indexOf('\n', index + run.length);
    const line = next < 0 ? '' : (text.slice(next + 1, next + 104).split(/\r?\n/)[0] as string);
    const isNext = next >= 0 && text.slice(index + run.length, next).trim() === '';
    if (lines > 1 && isNext && lastLine.test(line))
      (found.at(-1) as [number, number])[1] = next + 1 + line.length;
  }
  return found;
}

const hex = /^[\da-f\s]+$/i;

/** Encoded bytes mix cases and digits, or have the letters of hexadecimal digits and no others. What repeats a character, or has only words, is something else. */
function isMixed(run: string): boolean {
  const body = run.slice(0, 2 * shortest);
  return (
    /[a-z]/i.test(body) && /\d/.test(body) && (hex.test(body) || (/[a-z]/.test(body) && /[A-Z]/.test(body)))
  );
}
