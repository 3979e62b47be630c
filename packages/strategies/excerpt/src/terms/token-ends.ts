import * as char from '../characters.js';
import {
  classAt,
  codeAt,
  digit,
  isDigitAt,
  isIdeographSurrogate,
  isWordAt,
  joiner,
  other,
  spaceless,
  wordClass,
} from './character-classes.js';
import { longestCompound, longestRun, longestToken } from './limits.js';

/** The end of the token that begins at `start`. The token has only letters and digits up to `from`. */
export function endOfToken(text: string, start: number, from: number, end: number): number {
  let at = from;
  for (;;) {
    let kind = other;
    while (at < end) {
      kind = classAt(text, at);
      if (kind > wordClass) break;
      at++;
    }
    if (at >= end || kind !== joiner || at - start > longestCompound) return at;
    const next = afterJoiner(text, start, at, end);
    if (next === undefined) return at;
    if (next === at) return endOfUrl(text, at, end);
    at = next;
  }
}

/** Where a token continues after the joiner at `at`: undefined if it ends there, `at` if a URL or a path such as C:\\a begins there. */
function afterJoiner(text: string, start: number, at: number, end: number): number | undefined {
  const code = text.charCodeAt(at);
  if (code === char.colon) return afterColon(text, start, at, end);
  if (code === char.comma) {
    if (classAt(text, start) !== digit || classAt(text, at - 1) !== digit) return undefined;
    let next = at + 1;
    while (next < at + 5 && isDigitAt(text, next, end)) next++;
    const count = next - at - 1;
    const goesOn = next < end && text.charCodeAt(next) === char.comma;
    return count === 3 || (count === 2 && !goesOn) ? at + 1 : undefined;
  }
  let next = at + 1;
  while (next < at + 3 && next < end && classAt(text, next) === joiner) next++;
  return isWordAt(text, next, end) ? next : undefined;
}

function afterColon(text: string, start: number, at: number, end: number): number | undefined {
  const next = codeAt(text, at + 1);
  if (next === char.colon) return isWordAt(text, at + 2, end) ? at + 2 : undefined;
  if (next === char.slash && codeAt(text, at + 2) === char.slash && isWordAt(text, at + 3, end)) return at;
  if (next === char.backslash && at === start + 1) return at;
  const isTime =
    classAt(text, start) === digit && classAt(text, at - 1) === digit && isDigitAt(text, at + 1, end);
  return isTime ? at + 1 : undefined;
}

/** Where the first word begins in a token whose first character is a joiner, such as ./a, /a, ~/a or @a; 0 if there is no such token. */
export function startOfJoined(text: string, at: number, end: number): number {
  const code = text.charCodeAt(at);
  if (code === char.slash)
    return codeAt(text, at - 1) !== char.lessThan && isWordAt(text, at + 1, end) ? at + 1 : 0;
  if (code === char.at) return isWordAt(text, at + 1, end) ? at + 1 : 0;
  if (code !== char.dot && code !== char.tilde) return 0;
  let next = at + 1;
  if (codeAt(text, next) === char.dot) next++;
  if (codeAt(text, next) !== char.slash) return 0;
  return isWordAt(text, next + 1, end) ? next + 1 : 0;
}

function endOfUrl(text: string, start: number, end: number): number {
  let at = start;
  const last = Math.min(end, start + longestToken - 16);
  const isUrl = text.charCodeAt(start + 1) === char.slash;
  while (at < last) {
    const code = text.charCodeAt(at);
    if (
      code === char.backslash
        ? isUrl
        : code <= char.space || urlEnds.includes(text.charAt(at)) || classAt(text, at) === spaceless
    )
      break;
    at++;
  }
  while (at > start && '.,;:!?*$\\'.includes(text.charAt(at - 1))) at--;
  return at;
}

const urlEnds = '"\'`<>(){}[]|^“”»';

/** The end of a run of characters of a script without spaces, at most `longestRun` units long. */
export function endOfRun(text: string, start: number, end: number): number {
  let at = start;
  const last = Math.min(end, start + longestRun);
  while (at < last && classAt(text, at) === spaceless) {
    const code = text.charCodeAt(at);
    at += isIdeographSurrogate(code) && at + 1 < end ? 2 : 1;
  }
  return at;
}
