import type { QueryTerm, Terms } from '../store.js';

/** Words with the characters that join them in names, and what stands between two spaces in scripts without spaces. */
const run = /[\p{L}\p{M}\p{N}_$@][\p{L}\p{M}\p{N}_$@./\\:+~#'’-]*/gu;
const joiners = /[./\\:+~#'’@-]+/;
const humps = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|[_$]+/u;
const spaceless =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/** Most words: one capital at most, at the beginning. */
const plainWord = /^[A-Za-z][a-z]*$/;

/** Characters. A longer name is data: it is cut, in the index and in a query alike. */
const longestName = 100;
/** Characters. A run without a space is read so far at a time. */
const longestRun = 1_000;

let segmenter: Intl.Segmenter | undefined;

/** The terms of a text, in order. Takes linear time. */
export function termsOf(text: string): Terms {
  const terms: Terms = { names: [], words: [] };
  for (const [found] of text.matchAll(run)) {
    for (let at = 0; at < found.length; at += longestRun) addRun(found.slice(at, at + longestRun), terms);
  }
  return terms;
}

function addRun(found: string, terms: Terms): void {
  const trimmed = trim(found);
  const parts = trimmed.split(joiners);
  if (parts.length > 1) addCompound(trimmed, parts, terms);
  for (const part of parts) addWord(part, terms);
}

/** Cuts what ends a sentence off a name. Written as a loop, because a regular expression would be tried at each of many dots. */
function trim(found: string): string {
  let end = found.length;
  while (end > 0 && "./\\:+~#'’-".includes(found.charAt(end - 1))) end -= 1;
  return found.slice(0, end);
}

/** The whole name, and for a path each of its ends: `src/app.ts` is found by what `/repo/src/app.ts` holds. */
function addCompound(whole: string, parts: readonly string[], terms: Terms): void {
  const key = whole.replaceAll('\\', '/').toLowerCase();
  addName(key, terms);
  let ends = 0;
  for (
    let slash = key.lastIndexOf('/');
    slash > 0 && ends < mostEnds;
    slash = key.lastIndexOf('/', slash - 1)
  ) {
    addName(key.slice(slash + 1), terms);
    ends += 1;
  }
  const colon = key.indexOf(':');
  if (colon > 0 && parts.length > 2) addName(key.slice(0, colon), terms);
}

/** The last folders of a path by which people name a file. */
const mostEnds = 3;

function addName(name: string, terms: Terms): void {
  if (name.length > 1) terms.names.push(name.slice(0, longestName));
}

function addWord(part: string, terms: Terms): void {
  if (part === '') return;
  if (plainWord.test(part)) {
    if (part.length > 1) terms.words.push(stemOf(part.toLowerCase()).slice(0, longestName));
    return;
  }
  if (spaceless.test(part)) {
    segmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' });
    for (const { segment, isWordLike } of segmenter.segment(part))
      if (isWordLike === true) terms.words.push(segment.toLowerCase());
    return;
  }
  const pieces = part.split(humps).filter((piece) => piece !== '');
  if (pieces.length > 1 || /\p{N}/u.test(part)) addName(part.toLowerCase(), terms);
  for (const piece of pieces) {
    const word = stemOf(piece.toLowerCase());
    if (word.length > 1) terms.words.push(word.slice(0, longestName));
  }
}

/** Takes the endings off an English word that its other forms do not have. */
function stemOf(word: string): string {
  if (word.length < 5) return word;
  if (word.endsWith('ies') || word.endsWith('ied')) return `${word.slice(0, -3)}y`;
  const singular = /[^siu]s$/.test(word) ? word.slice(0, -1) : word;
  if (singular.length > 6 && singular.endsWith('ing')) return singular.slice(0, -3);
  if (singular.length > 5 && /[^e]ed$/.test(singular)) return singular.slice(0, -2);
  return singular.length > 5 && singular.endsWith('e') ? singular.slice(0, -1) : singular;
}

/** Terms of a query that are looked up at most, the names first. A limit. */
const mostTerms = 200;
/** Characters of a query that are read. More says nothing more about what is looked for. */
const longestQuery = 100_000;

/** A word that may be a name written without its capitals: `parseuserinput`. */
const perhapsName = /[\p{L}\p{N}_]{8,40}/gu;

/** The terms of a query, each once, the names first. */
export function queryTerms(query: string): QueryTerm[] {
  const read = query.slice(0, longestQuery);
  const { names, words } = termsOf(read);
  const plain = read.toLowerCase().match(perhapsName) ?? [];
  return [
    ...[...new Set([...names, ...plain])].map((text) => ({ text, stream: 'names' as const })),
    ...[...new Set(words)].map((text) => ({ text, stream: 'words' as const })),
  ].slice(0, mostTerms);
}
