import { remembered } from '../remembered.js';

/** The share of a chat's turns in which a word of content is at most; others hold the language together. */
const oftenShare = 0.05;
/** In turns: in a short chat no word is frequent below this. */
const oftenFrom = 3;
/** In characters, for scripts with an alphabet. */
const leastLength = 3;

/** Scripts that write without spaces: a word is found as a part of the text. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const segmenter = new Intl.Segmenter('und', { granularity: 'word' });

/** The words of a text, in lower case. */
function wordsOf(text: string): Set<string> {
  const words = [...segmenter.segment(text.toLowerCase())].filter(({ isWordLike }) => isWordLike);
  return new Set(words.map(({ segment }) => segment));
}

/** Finds words in a text that is long: with spaces as whole words, without them anywhere. */
export function wordFinder(text: string): (word: string) => boolean {
  const lower = text.toLowerCase();
  const words = new Set(lower.match(/[\p{L}\p{N}]+/gu) ?? []);
  return (word) =>
    unspaced.test(word)
      ? lower.includes(word)
      : (word.match(/[\p{L}\p{N}]+/gu) ?? []).every((part) => words.has(part));
}

/** Tells which words of an answer count: those that the chat contains, but not in too many of its turns. */
export function contentWordsIn(turns: readonly string[]): (text: string) => string[] {
  const finders = turns.map(wordFinder);
  const most = Math.max(oftenFrom, turns.length * oftenShare);
  const counts = remembered((word: string) => {
    const found = finders.filter((finds) => finds(word)).length;
    return found > 0 && found <= most;
  }, new Map());
  const isLong = (word: string) => word.length >= leastLength || /\p{N}/u.test(word) || unspaced.test(word);
  return (text) => [...wordsOf(text)].filter((word) => isLong(word) && counts(word));
}
