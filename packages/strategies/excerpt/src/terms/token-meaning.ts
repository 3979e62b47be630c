import type { TermKind } from './term.js';

/** A part of a compound that is longer than this, in UTF-16 units, is not a separate term. A limit. */
const longestPart = 60;

/** What a token means. */
export interface TokenMeaning {
  readonly terms: readonly (readonly [key: string, kind: TermKind])[];
  /** Whether it is a capitalised word: a name, unless it begins a sentence. */
  readonly isName?: boolean | undefined;
}

const extension =
  /\.(?:bash|cfg|cjs|conf|cpp|cs|css|csv|docx?|env|exs?|go|gradle|graphql|h|html?|ini|ipynb|java|jpe?g|jsonl?|jsx?|kt|lock|log|lua|mdx?|mjs|pdf|php|png|prisma|proto|py|rb|rs|scss|sh|sql|svelte|svg|swift|toml|[cm]?tsx?|txt|vue|xlsx?|xml|ya?ml|zip)$/i;

/** The shapes of tokens, the most telling first. */
const shapes: readonly (readonly [TermKind, RegExp])[] = [
  ['url', /^\w+:\/\//],
  ['email', /^[^@/]+@[^@/]+\.\p{L}{2,9}$/u],
  [
    'date',
    /^\d{4}[-/.]\d\d?[-/.]\d\d?(?:T|$)|^\d\d?[-/.]\d\d?[-/.]\d{4}$|^\d\d?:\d\d(?::|[ap]m|$)|^(?:\d{4}年)?\d\d?月\d\d?$/i,
  ],
  ['id', /^\d+-[\d-]{6,}$/],
  ['number', /^(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:[.:]\d+)*|\d+,\d\d?)$/],
  ['quantity', /^\d+(?:[.,]\d+)*(?:[mnµu]?s|m?secs?|mins?|hrs?|[kmgt]?i?b|px|r?em|[km]?hz|fps|[kmhdwx])$/i],
  ['path', /^[A-Z]:\\|^[.@~]*\/|^[^/]+\/[^/]+[-_./\d]|^[^-_./\d]*[-_.\d][^/]*\//],
  ['path', extension],
  ['error', /^\p{Lu}\p{L}*(?:Error|Exception|Panic|Failure|Warning)$/u],
  ['error', /^(?:SIG[A-Z]{3,5}|ERR?_\w+|(?:E|TS)\d{3,5})$/],
  [
    'error',
    /^E(?:ACCES|ADDRINUSE|AGAIN|CONNABORTED|CONNREFUSED|CONNRESET|EXIST|INVAL|IO|ISDIR|MFILE|NOENT|NOMEM|NOSPC|NOTDIR|NOTEMPTY|NOTFOUND|PERM|PIPE|ROFS|TIMEDOUT)$/,
  ],
  ['word', /^[\p{L}\p{M}]+$/u],
];

/** The meaning of a token by itself. */
export function meaningOf(token: string): TokenMeaning {
  if (notTerm.test(token)) return { terms: [] };
  if (spaceless.test(token)) return { terms: wordsOf(token) };
  // A function may have the number of its arguments, such as Registry.get_pane_id/1.
  const raw = token.replace(/^([^/]{3,})\/\d\d?$/, '$1');
  const key = raw.toLowerCase();
  const kind = shapes.find(([, shape]) => shape.test(raw))?.[0];
  switch (kind) {
    case 'url': {
      const host = /:\/\/(?:[^/@]*@)?([^/:?#]+)/.exec(key)?.[1] ?? '';
      return {
        terms: [
          [key.replace(/[.,;:!?*/]{1,9}$/, ''), kind],
          [host, 'identifier'],
        ],
      };
    }
    case 'email':
    case 'error':
    case 'id':
    case 'quantity':
      return { terms: [[key, kind]] };
    case 'date':
      return { terms: datesOf(key).map((date) => [date, kind]) };
    case 'number': {
      const number = /,\d\d?$/.test(key) ? key.replace(',', '.') : key.replaceAll(',', '');
      return { terms: number.length < 4 ? [] : [[number, kind]] };
    }
    case 'path':
      return { terms: termsOfPath(raw) };
    case 'word':
      return wordMeaning(raw, key);
    default:
      return { terms: termsOfCompound(raw, key) };
  }
}

const notTerm = /^[\\<[]/;
const spaceless =
  /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー]/u;
let segmenter: Intl.Segmenter | undefined;

/** The words of a text in a script without spaces. Leaves out short words in Hiragana, which are grammar. */
function wordsOf(run: string): [string, TermKind][] {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' });
  return [...segmenter.segment(run)].flatMap(({ segment, isWordLike }) =>
    isWordLike === true && segment.length > (/^\p{sc=Hiragana}+$/u.test(segment) ? 2 : 1)
      ? [[segment, 'word'] as [string, TermKind]]
      : [],
  );
}

/** An ISO date also gives the date without the year, and the time. */
function datesOf(key: string): string[] {
  const [, year, month = '', day = '', time] =
    /^(?:(\d{4})[-/.年])?(\d\d?)[-/.月](\d\d?)(?:t(\d\d:\d\d).*)?$/.exec(key) ?? [];
  if (month === '') return [key];
  const date = `${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return [...(year === undefined ? [] : [`${year}-${date}`]), date, ...(time === undefined ? [] : [time])];
}

/** The terms of a path: the whole, those of its last part, and those of a test in it, such as a.py::TestUser::test_login. */
function termsOfPath(raw: string): [string, TermKind][] {
  const [file = '', ...names] = raw.split('::');
  const path = file.replace(/\\+/g, '/').replace(/^~?(?:\.{1,2}\/)*/, '');
  const base = path.slice(path.lastIndexOf('/') + 1);
  const isFile = base !== path && extension.test(base);
  return [
    [path.toLowerCase(), 'path'],
    ...(isFile ? [[base.toLowerCase(), 'path'] as [string, TermKind]] : termsOfParts(base.split('.'))),
    ...termsOfParts(names),
  ];
}

/** The terms of an identifier or an id: the whole, and the parts of an identifier. */
function termsOfCompound(raw: string, key: string): [string, TermKind][] {
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
  return [[key, 'identifier'], ...(parts.length > 1 ? termsOfParts(parts) : [])];
}

function termsOfParts(parts: readonly string[]): [string, TermKind][] {
  return parts.flatMap((part) =>
    part.length < 3 || part.length > longestPart
      ? []
      : meaningOf(part).terms.map(([key, kind]) => [key, kind] as [string, TermKind]),
  );
}

/** The number at the end of an id such as gift_card_6276644, of which people say only the number. */
export function idNumber(id: string): string | undefined {
  return /_(\d{4,})$/.exec(id)?.[1];
}

/** Whether letters and digits are mixed as in ids and hashes, and not as in `utf8` and `step12`. */
function isIdLike(part: string): boolean {
  return part.length > 5 && /\d\D*\d/.test(part) && /\D/.test(part) && !/^\D+\d\d$/.test(part);
}

function wordMeaning(raw: string, key: string): TokenMeaning {
  if (/\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}/u.test(raw)) return { terms: [[key, 'identifier']] };
  const isLong = raw.length >= (raw < '\u0590' ? 4 : 2);
  if (!isLong) return { terms: /^\p{Lu}{2,3}$/u.test(raw) ? [[key, 'name']] : [] };
  return { terms: [[stemOf(key), 'word']], isName: /^\p{Lu}.*\p{Ll}/u.test(raw) };
}

/** Removes plural endings, -ing, -ed and a final e. */
function stemOf(word: string): string {
  return word
    .replace(/^(.{3,})ie[sd]$/, '$1y')
    .replace(/^(.{3,}[^siu])s$/, '$1')
    .replace(/^(.{4,})(?:ing|ed|e)$/, '$1');
}
