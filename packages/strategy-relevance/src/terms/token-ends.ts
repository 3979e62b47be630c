import {
  classAt,
  codeAt,
  digit,
  isDigitAt,
  isWordAt,
  joiner,
  other,
  spaceless,
  wordClass,
} from './character-classes.js';

/** Tokens longer than this, in UTF-16 units, are blobs without terms. */
export const longestToken = 256;
/** After so many units a token ends at its next joiner. */
const longestCompound = 160;

/** Where the token ends that began at `start` with a letter or digit and has only such up to `from`. */
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
    if (next < 0) return at;
    if (next === at) return endOfUrl(text, at, end);
    at = next;
  }
}

/** Where a token goes on after the joiner at `at`: -1 if it does not, `at` itself if a URL or a path as C:\\a begins. */
function afterJoiner(text: string, start: number, at: number, end: number): number {
  const code = text.charCodeAt(at);
  if (code === 58) return afterColon(text, start, at, end);
  if (code === 44) {
    if (classAt(text, start) !== digit || classAt(text, at - 1) !== digit) return -1;
    let next = at + 1;
    while (next < at + 5 && isDigitAt(text, next, end)) next++;
    const count = next - at - 1;
    const goesOn = next < end && text.charCodeAt(next) === 44;
    return count === 3 || (count === 2 && !goesOn) ? at + 1 : -1;
  }
  let next = at + 1;
  while (next < at + 3 && next < end && classAt(text, next) === joiner) next++;
  return isWordAt(text, next, end) ? next : -1;
}

function afterColon(text: string, start: number, at: number, end: number): number {
  const next = codeAt(text, at + 1);
  if (next === 58) return isWordAt(text, at + 2, end) ? at + 2 : -1;
  if (next === 47 && codeAt(text, at + 2) === 47 && isWordAt(text, at + 3, end)) return at;
  if (next === 92 && at === start + 1) return at;
  const isTime =
    classAt(text, start) === digit && classAt(text, at - 1) === digit && isDigitAt(text, at + 1, end);
  return isTime ? at + 1 : -1;
}

/** Where the words of a token begin whose first unit is a joiner, as of ./a, /a, ~/a, @a; 0 if none does. */
export function startOfJoined(text: string, at: number, end: number): number {
  const code = text.charCodeAt(at);
  if (code === 47) return codeAt(text, at - 1) !== 60 && isWordAt(text, at + 1, end) ? at + 1 : 0;
  if (code === 64) return isWordAt(text, at + 1, end) ? at + 1 : 0;
  if (code !== 46 && code !== 126) return 0;
  let next = at + 1;
  if (codeAt(text, next) === 46) next++;
  if (codeAt(text, next) !== 47) return 0;
  return isWordAt(text, next + 1, end) ? next + 1 : 0;
}

function endOfUrl(text: string, start: number, end: number): number {
  let at = start;
  const last = Math.min(end, start + longestToken - 16);
  const isUrl = text.charCodeAt(start + 1) === 47;
  while (at < last) {
    const code = text.charCodeAt(at);
    if (
      code === 92 ? isUrl : code <= 32 || urlEnds.includes(text.charAt(at)) || classAt(text, at) === spaceless
    )
      break;
    at++;
  }
  while (at > start && '.,;:!?*$\\'.includes(text.charAt(at - 1))) at--;
  return at;
}

const urlEnds = '"\'`<>(){}[]|^“”»';

/** Where a run of a script without spaces ends, at most some hundred units away. */
export function endOfRun(text: string, start: number, end: number): number {
  let at = start;
  const last = Math.min(end, start + 128);
  while (at < last && classAt(text, at) === spaceless) {
    const code = text.charCodeAt(at);
    at += code >= 0xd840 && code <= 0xd87f && at + 1 < end ? 2 : 1;
  }
  return at;
}
