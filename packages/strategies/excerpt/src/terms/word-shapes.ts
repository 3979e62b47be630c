import * as char from '../characters.js';
import { classAt, digit, lower, upper } from './character-classes.js';

/** Flags for the kinds of characters in a word. */
export const hasLower = 1;
export const hasUpper = 2;
export const hasDigit = 4;
export const hasUnderscore = 8;
/** A capital within a word, as in camelCase and HTTPServer. */
export const hasHump = 16;

/** The flags of a word of letters, digits and underscores. */
export function shapeOf(raw: string): number {
  let shape = 0;
  let before = 0;
  let capitals = 0;
  for (let at = 0; at < raw.length; at++) {
    const kind = classAt(raw, at);
    shape |= 1 << (kind - 1);
    if ((kind === upper && before === lower) || (kind === lower && capitals > 1)) shape |= hasHump;
    capitals = kind === upper ? capitals + 1 : 0;
    before = kind;
  }
  return shape;
}

/** Whether letters and digits are mixed as in ids and hashes, and not as in `utf8` and `step12`. */
export function isIdLike(part: string): boolean {
  if (part.length < 6) return false;
  let digits = 0;
  let lastLetter = -1;
  let firstDigit = part.length;
  for (let at = 0; at < part.length; at++) {
    if (classAt(part, at) !== digit) lastLetter = at;
    else if (digits++ === 0) firstDigit = at;
  }
  return digits > 1 && lastLetter >= 0 && !(digits === 2 && firstDigit === part.length - 2);
}

/** The number at the end of an id such as gift_card_6276644, of which people say only the number. */
export function numberOf(id: string): string | undefined {
  return /_(\d{4,})$/.exec(id)?.[1];
}

/** Whether an exit code or HTTP status means failure: neither success nor a redirection. */
export function isFailureCode(code: string): boolean {
  return code.length < 6 && code !== '0' && !/^[23]\d\d$/.test(code);
}

/** Whether a word is the name of an error as programs print it, such as TypeError, SIGTERM or ENOENT. */
export function isErrorName(raw: string): boolean {
  return (
    (raw.length > 7 && /^\p{Lu}\p{L}*\p{Ll}(?:Error|Exception|Panic|Failure|Warning)$/u.test(raw)) ||
    /^SIG[A-Z]{3,5}$/.test(raw) ||
    errnos.has(raw)
  );
}

const errnos = new Set(
  'EACCES EADDRINUSE EAGAIN EBADF EBUSY ECONNABORTED ECONNREFUSED ECONNRESET EEXIST EFAULT EHOSTUNREACH EINTR EINVAL EISDIR ELOOP EMFILE ENAMETOOLONG ENETUNREACH ENODEV ENOENT ENOMEM ENOSPC ENOTCONN ENOTDIR ENOTEMPTY ENOTFOUND ENOTSUP EPERM EPIPE EPROTO EROFS ESRCH ETIMEDOUT EXDEV'.split(
    ' ',
  ),
);

/** Removes plural endings, -ing, -ed and a final e from a lower-case word. Changes only words of ASCII letters. */
export function stemOf(word: string): string {
  let end = word.length;
  if (end < 5 || !isAsciiWord(word)) return word;
  if (word.endsWith('ies') || word.endsWith('ied')) return `${word.slice(0, -3)}y`;
  if (word.endsWith('s') && !'siu'.includes(word.charAt(end - 2))) end--;
  if (end > 6 && word.startsWith('ing', end - 3)) end -= 3;
  else if (end > 5 && word.startsWith('ed', end - 2) && word.charAt(end - 3) !== 'e') end -= 2;
  else if (end > 5 && word.charAt(end - 1) === 'e') end--;
  return word.slice(0, end);
}

function isAsciiWord(word: string): boolean {
  for (let at = 0; at < word.length; at++) if (word.charCodeAt(at) > char.smallZ) return false;
  return true;
}
