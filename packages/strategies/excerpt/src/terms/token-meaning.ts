import { sizes } from '../weights.js';
import type { TermKind } from './term.js';

/** Letters, digits and `_`, apart from the letters of scripts without spaces: Thai, Lao, Burmese, Khmer, Chinese and Japanese. */
const letter = String.raw`[\w\u00c0-\u060b\u060d-\u061a\u0620-\u0963\u0966-\u0dff\u10a0-\u177f\u1800-\u1fff\u2c00-\u2dff\ua4d0-\ud7ff]`;

/** The kinds of tokens, the first that fits. Each takes linear time, because no repetition contains what may follow it. */
const alternatives = [
  // An escape in a string literal, the colour of a terminal, or the beginning of a closing tag.
  /\\(?:[nrt]|u[\dA-Fa-f]{4})|\[\d[\d;]*[mK]|<\//,
  // A path of Windows.
  /[A-Z]:\\[\w.\\-]+/,
  // A number, a date, a time, a version, and what begins with them.
  new RegExp(String.raw`\d(?:[-./@]?${letter}|[:,年月]\d)*`),
  // A word, a compound, a path or a URL.
  new RegExp(
    String.raw`(?:\.{0,2}\/|[@~]\/?)?${letter}+(?::\/\/[^\s"'<>(){}[\]|^\\]+|(?:(?:[-./@+]+|::)${letter}+)*)`,
  ),
  // Text in a script without spaces, as much as is divided at once.
  /(?:[\u0e00-\u109f\u1780-\u17ff\u2e80-\u2fff\u3005-\u3007\u3040-\ua4cf\uf900-\ufaff\uff66-\uff9f]|[\ud840-\ud87f][\udc00-\udfff]){1,128}/,
];

/** Matches the tokens of a text. */
export const tokenPattern = new RegExp(alternatives.map(({ source }) => source).join('|'), 'g');

type Meaning = [key: string, kind: TermKind][];

const extension =
  /\.(?:bash|cfg|cjs|conf|cpp|cs|css|csv|docx?|env|exs?|go|gradle|graphql|h|html?|ini|ipynb|java|jpe?g|jsonl?|jsx?|kt|lock|log|lua|mdx?|mjs|pdf|php|png|prisma|proto|py|rb|rs|scss|sh|sql|svelte|svg|swift|toml|[cm]?tsx?|txt|vue|xlsx?|xml|ya?ml|zip)$/i;

/** What is no term: escapes and tags, dates and times, quantities. */
const notTerm =
  /^[\\<[]|^\d{4}[-/.]\d\d?[-/.]\d\d?(?:T|$)|^\d\d?[-/.]\d\d?[-/.]\d{4}$|^\d\d?:\d\d(?::|[ap]m|$)|^(?:\d{4}年)?\d\d?月\d\d?$|^\d+(?:[.,]\d+)*(?:[mnµu]?s|m?secs?|mins?|hrs?|[kmgt]?i?b|px|r?em|[km]?hz|fps|[kmhdwx])$/i;
const url = /^\w+:\/\//;
const path = /^[A-Z]:\\|^[.@~]*\/|^[^/]+\/[^/]+[-_./\d]|^[^-_./\d]*[-_.\d][^/]*\//;
const number = /^(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:[.:]\d+)*|\d+,\d\d?)$/;
const address = /^[^@/]+@[^@/]+\.\p{L}{2,9}$/u;
/** An error by its name or code. */
const error =
  /^\p{Lu}\p{L}*(?:Error|Exception|Panic|Failure|Warning)$|^(?:SIG[A-Z]{3,5}|ERR?_\w+|(?:E|TS)\d{3,5})$/u;
const systemError =
  /^E(?:ACCES|ADDRINUSE|AGAIN|CONNABORTED|CONNREFUSED|CONNRESET|EXIST|INVAL|IO|ISDIR|MFILE|NOENT|NOMEM|NOSPC|NOTDIR|NOTEMPTY|NOTFOUND|PERM|PIPE|ROFS|TIMEDOUT)$/;

/** The terms of a token by itself. */
export function meaningOf(token: string): Meaning {
  if (notTerm.test(token)) return [];
  if (spaceless.test(token)) return wordsOf(token);
  // A function may have the number of its arguments, such as Registry.get_pane_id/1.
  const raw = token.replace(/^([^/]{3,})\/\d\d?$/, '$1');
  const key = raw.toLowerCase();
  if (url.test(raw)) {
    const host = /:\/\/(?:[^/@]*@)?([^/:?#]+)/.exec(key)?.[1] ?? '';
    return [
      [key.replace(/[.,;:!?*/]{1,9}$/, ''), 'name'],
      [host, 'name'],
    ];
  }
  if ([address, error, systemError].some((one) => one.test(raw))) return [[key, 'name']];
  if (/^\d+-[\d-]{6,}$/.test(raw)) return [[key, 'id']];
  if (number.test(raw)) {
    const digits = /,\d\d?$/.test(key) ? key.replace(',', '.') : key.replaceAll(',', '');
    return digits.length < 4 ? [] : [[digits, 'number']];
  }
  if (path.test(raw) || extension.test(raw)) return termsOfPath(raw);
  return /^[\p{L}\p{M}]+$/u.test(raw) ? termsOfWord(raw, key) : termsOfCompound(raw, key);
}

const spaceless =
  /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー]/u;
let segmenter: Intl.Segmenter | undefined;

/** The words of a text in a script without spaces. Leaves out short words in Hiragana, which are grammar. */
function wordsOf(run: string): Meaning {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' });
  return [...segmenter.segment(run)].flatMap(({ segment, isWordLike }) =>
    isWordLike === true && segment.length > (/^\p{sc=Hiragana}+$/u.test(segment) ? 2 : 1)
      ? [[segment, 'word'] as Meaning[number]]
      : [],
  );
}

/** The terms of a path: the whole, those of its last part, and those of a test in it, such as a.py::TestUser::test_login. */
function termsOfPath(raw: string): Meaning {
  const [file = '', ...names] = raw.split('::');
  const path = file.replace(/\\+/g, '/').replace(/^~?(?:\.{1,2}\/)*/, '');
  const base = path.slice(path.lastIndexOf('/') + 1);
  const isFile = base !== path && extension.test(base);
  return [
    [path.toLowerCase(), 'name'],
    ...(isFile ? [[base.toLowerCase(), 'name'] as Meaning[number]] : termsOfParts(base.split('.'))),
    ...termsOfParts(names),
  ];
}

/** The terms of an identifier or an id: the whole, and the parts of an identifier. */
function termsOfCompound(raw: string, key: string): Meaning {
  const parts = raw.split(/[-./\\@:,+]+/);
  const isWhole = /\p{L}/u.test(raw) && !/[,+]|--|\.\./.test(raw);
  if (!isWhole) return parts.length > 1 ? termsOfParts(parts) : [];
  const number = idNumber(key);
  if (number !== undefined)
    return [
      [key, 'id'],
      [number, 'number'],
    ];
  if (parts.some((part) => part.split('_').some(isIdLike)) || /^\p{Lu}+-\d\d/u.test(raw))
    return [[key, 'id']];
  return [[key, 'name'], ...(parts.length > 1 ? termsOfParts(parts) : [])];
}

function termsOfParts(parts: readonly string[]): Meaning {
  return parts.flatMap((part) => (part.length < 3 || part.length > sizes.phrase ? [] : meaningOf(part)));
}

/** The number at the end of an id such as gift_card_6276644, of which people say only the number. */
export function idNumber(id: string): string | undefined {
  return /_(\d{4,})$/.exec(id)?.[1];
}

/** Whether letters and digits are mixed as in ids and hashes, and not as in `utf8` and `step12`. */
function isIdLike(part: string): boolean {
  return part.length > 5 && /\d\D*\d/.test(part) && /\D/.test(part) && !/^\D+\d\d$/.test(part);
}

function termsOfWord(raw: string, key: string): Meaning {
  if (/\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}/u.test(raw)) return [[key, 'name']];
  const isLong = raw.length >= (raw < '\u0590' ? 4 : 2) || /^\p{Lu}{2,3}$/u.test(raw);
  return isLong ? [[stemOf(key), 'word']] : [];
}

/** Removes plural endings, -ing, -ed and a final e. */
function stemOf(word: string): string {
  return word
    .replace(/^(.{3,})ie[sd]$/, '$1y')
    .replace(/^(.{3,}[^siu])s$/, '$1')
    .replace(/^(.{4,})(?:ing|ed|e)$/, '$1');
}
