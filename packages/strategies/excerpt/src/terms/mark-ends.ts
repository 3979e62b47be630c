import * as char from '../characters.js';
import { isWordAt } from './character-classes.js';
import { longestQuote } from './limits.js';

/** The end of an escape: in a string literal (\n, \t, \u0041), for a terminal colour (ESC[1m), or a combination. */
export function endOfEscape(text: string, at: number, end: number): number {
  let last = at + 1;
  if (last >= text.length) return last;
  if (text.charCodeAt(at) === char.backslash) {
    const next = text.charCodeAt(last);
    if (next === char.smallN || next === char.smallR || next === char.smallT) return Math.min(end, at + 2);
    const code = next === char.smallU ? text.slice(at + 2, at + 6).toLowerCase() : '';
    if (!/^[\da-f]{4}$/.test(code)) return last;
    last = Math.min(end, at + 6);
    if (code !== '001b') return last;
  }
  if (text.charAt(last) !== '[') return last;
  const most = Math.min(end, last + 20);
  for (last++; last < most; last++) if (!';?0123456789'.includes(text.charAt(last))) return last + 1;
  return last;
}

/** The closing quotation mark for each opening one. */
const closers: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '`': '`',
  '“': '”',
  '„': '“”',
  '«': '»',
  '‘': '’',
};

/** The offset of the closing mark of the quote that opens at `start`, if it contains several words; otherwise 0. */
export function endOfQuote(text: string, start: number, end: number): number {
  const open = text.charAt(start);
  const close = closers[open];
  if (close === undefined || (start > 0 && open < '\x7f' && isWordAt(text, start - 1, end))) return 0;
  const isApostrophe = open === "'" || open === '‘';
  const last = Math.min(end, start + longestQuote + 2);
  let spaces = 0;
  for (let at = start + 1; at < last; at++) {
    const code = text.charCodeAt(at);
    if (code === char.lineFeed) return 0;
    if (code === char.space) {
      if (at === start + 1) return 0;
      spaces++;
    }
    if (code !== close.charCodeAt(0) && (close.length === 1 || code !== close.charCodeAt(1))) continue;
    if (isApostrophe && isWordAt(text, at + 1, end)) continue;
    return spaces > 0 && at - start > 4 && text.charCodeAt(at - 1) !== char.space ? at : 0;
  }
  return 0;
}

/** Whether there are only spaces and signs between two tokens that can join a word and its number. */
export function isGap(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (!' :=.#[('.includes(text.charAt(at))) return false;
  return end > start;
}
